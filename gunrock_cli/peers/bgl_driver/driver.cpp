// Runs one primitive of the Boost Graph Library on a CSR graph and prints one time in ms per line,
// then the number of iterations (0 where there are none). The answer goes to FOLDER/answer.
//
// driver FOLDER PRIMITIVE n m source runs damping tolerance limit undirected

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/kruskal_min_spanning_tree.hpp>
#include <boost/graph/page_rank.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/pending/disjoint_sets.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Edge {
  double weight;
};
using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Edge,
                                                 boost::no_property, std::int32_t, std::int64_t>;
using Vertex = boost::graph_traits<Graph>::vertex_descriptor;

template <typename T>
std::vector<T> read(const std::string& path, std::size_t count) {
  std::vector<T> found(count);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(found.data()), count * sizeof(T));
  if (!file) throw std::runtime_error("cannot read " + path);
  return found;
}

template <typename T>
void write(const std::string& path, const std::vector<T>& answer) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(answer.data()), answer.size() * sizeof(T));
  if (!file) throw std::runtime_error("cannot write " + path);
}

// A warm-up, then `runs` timed runs; `reset` is off the clock.
template <typename Reset, typename Work>
void measure(int runs, Reset reset, Work work) {
  for (int run = -1; run < runs; ++run) {
    reset();
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> passed =
        std::chrono::steady_clock::now() - begin;
    if (run >= 0) std::printf("%.6f\n", passed.count());
  }
}

// Brandes' first pass: levels, numbers of shortest paths, and the order of visits.
struct CountPaths : boost::default_bfs_visitor {
  std::vector<std::int32_t>* depth;
  std::vector<double>* paths;
  std::vector<Vertex>* order;
  void discover_vertex(Vertex v, const Graph&) { order->push_back(v); }
  void tree_edge(boost::graph_traits<Graph>::edge_descriptor e, const Graph& g) {
    (*depth)[target(e, g)] = (*depth)[source(e, g)] + 1;
  }
  void examine_edge(boost::graph_traits<Graph>::edge_descriptor e, const Graph& g) {
    const auto d = (*depth)[target(e, g)];
    // An undiscovered end is met by tree_edge right after this.
    if (d < 0 || d == (*depth)[source(e, g)] + 1) (*paths)[target(e, g)] += (*paths)[source(e, g)];
  }
};

// Stops page_rank on a change below the tolerance (L1, relative to the sum) or at the limit. Its ranks
// sum to n, but it begins with 1 / n each: they are set before the first iteration.
struct Converged {
  double tolerance;
  int limit, *iterations;
  std::vector<double>* before;
  template <typename RankMap>
  bool operator()(RankMap rank, const Graph& g) {
    double change = 0, total = 0;
    for (auto [v, end] = vertices(g); v != end; ++v) {
      if (*iterations == 0) put(rank, *v, (*before)[*v] = 1.0);
      change += std::fabs(get(rank, *v) - (*before)[*v]);
      total += (*before)[*v] = get(rank, *v);
    }
    if (*iterations > 0 && change < tolerance * total) return true;
    if (*iterations >= limit) return true;
    ++*iterations;
    return false;
  }
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 11) throw std::runtime_error("wrong number of arguments");
  const std::string folder = std::string(argv[1]) + "/", primitive = argv[2];
  const std::size_t n = std::stoull(argv[3]), m = std::stoull(argv[4]);
  const Vertex root = std::stoi(argv[5]);
  const int runs = std::stoi(argv[6]), limit = std::stoi(argv[9]);
  const double damping = std::stod(argv[7]), tolerance = std::stod(argv[8]);
  int iterations = 0;

  Graph g;
  {
    const auto offsets = read<std::int64_t>(folder + "offsets", n + 1);
    const auto columns = read<std::int32_t>(folder + "columns", m);
    std::vector<double> weights(m, 1.0);
    if (primitive == "sssp" || primitive == "mst") weights = read<double>(folder + "weights", m);
    std::vector<std::pair<std::int32_t, std::int32_t>> edges(m);
    std::vector<Edge> values(m);
    for (std::size_t v = 0; v < n; ++v)
      for (auto e = offsets[v]; e < offsets[v + 1]; ++e) {
        edges[e] = {static_cast<std::int32_t>(v), columns[e]};
        values[e] = {weights[e]};
      }
    g = Graph(boost::edges_are_sorted, edges.begin(), edges.end(), values.begin(), n);
  }
  const auto index = get(boost::vertex_index, g);

  if (primitive == "bfs") {
    std::vector<std::int32_t> labels(n);
    measure(
        runs, [&] { labels.assign(n, -1); labels[root] = 0; },
        [&] {
          auto map = boost::make_iterator_property_map(labels.begin(), index);
          boost::breadth_first_search(g, root, boost::visitor(boost::make_bfs_visitor(
              boost::record_distances(map, boost::on_tree_edge()))));
        });
    write(folder + "answer", labels);
  } else if (primitive == "sssp") {
    std::vector<double> distances(n);
    measure(
        runs, [] {},
        [&] {
          boost::dijkstra_shortest_paths(
              g, root,
              boost::weight_map(get(&Edge::weight, g))
                  .distance_map(boost::make_iterator_property_map(distances.begin(), index))
                  .distance_inf(std::numeric_limits<double>::infinity()));
        });
    write(folder + "answer", distances);
  } else if (primitive == "mst") {  // every edge comes in one direction
    std::vector<boost::graph_traits<Graph>::edge_descriptor> chosen;
    std::vector<Vertex> rank(n), parent(n);
    measure(
        runs, [&] { chosen.clear(); },
        [&] {
          boost::kruskal_minimum_spanning_tree(
              g, std::back_inserter(chosen),
              boost::weight_map(get(&Edge::weight, g))
                  .vertex_index_map(index)
                  .rank_map(boost::make_iterator_property_map(rank.begin(), index))
                  .predecessor_map(boost::make_iterator_property_map(parent.begin(), index)));
        });
    std::vector<double> weights;
    for (const auto& e : chosen) weights.push_back(g[e].weight);
    write(folder + "answer", weights);
  } else if (primitive == "bc") {
    std::vector<std::int32_t> depth(n);
    std::vector<double> paths(n), scores(n);
    std::vector<Vertex> order;
    measure(
        runs,
        [&] {
          depth.assign(n, -1);
          paths.assign(n, 0);
          scores.assign(n, 0);
          order.clear();
          depth[root] = 0;
          paths[root] = 1;
        },
        [&] {
          CountPaths visitor;
          visitor.depth = &depth;
          visitor.paths = &paths;
          visitor.order = &order;
          boost::breadth_first_search(g, root, boost::visitor(visitor));
          for (auto at = order.rbegin(); at != order.rend(); ++at)
            for (auto [e, end] = out_edges(*at, g); e != end; ++e) {
              const Vertex w = target(*e, g);
              if (depth[w] == depth[*at] + 1)
                scores[*at] += paths[*at] / paths[w] * (1 + scores[w]);
            }
          scores[root] = 0;
        });
    write(folder + "answer", scores);
  } else if (primitive == "cc") {
    std::vector<std::int32_t> components(n);
    const bool undirected = std::stoi(argv[10]) != 0;
    std::vector<Vertex> rank(n), parent(n);
    measure(
        runs, [] {},
        [&] {
          if (undirected) {
            // Depth-first search over both directions of each edge.
            boost::connected_components(
                g, boost::make_iterator_property_map(components.begin(), index));
            return;
          }
          const auto ranks = boost::make_iterator_property_map(rank.begin(), index);
          const auto parents = boost::make_iterator_property_map(parent.begin(), index);
          boost::disjoint_sets<decltype(ranks), decltype(parents)> sets(ranks, parents);
          for (std::size_t v = 0; v < n; ++v) sets.make_set(static_cast<std::int32_t>(v));
          for (auto [e, end] = edges(g); e != end; ++e) sets.union_set(source(*e, g), target(*e, g));
          for (std::size_t v = 0; v < n; ++v)
            components[v] = sets.find_set(static_cast<std::int32_t>(v));
        });
    write(folder + "answer", components);
  } else if (primitive == "pagerank") {
    std::vector<double> ranks(n), other(n), before(n);
    measure(
        runs, [&] { iterations = 0; },
        [&] {
          boost::graph::page_rank(g, boost::make_iterator_property_map(ranks.begin(), index),
                                  Converged{tolerance, limit, &iterations, &before}, damping,
                                  static_cast<Vertex>(n),
                                  boost::make_iterator_property_map(other.begin(), index));
        });
    write(folder + "answer", ranks);
  } else {
    throw std::runtime_error("no primitive " + primitive);
  }
  std::printf("%d\n", iterations);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
