// The edges of a plain edge list, as a source of rows.hpp: "U V" or "U V WEIGHT" with blanks between, one
// line per edge, and nothing else. The number of vertices and the type of the weights are known after a
// look at the whole file.
#pragma once
#include <cmath>

#include "market.hpp"

// The findings of a look at the file; gunrock_cli/graph/rows/native_library.py has the same struct.
struct EdgeFile {
  MarketFile file;   // with `count` found
  i64 last;          // the largest vertex, or -1
  i32 columns;       // 2 or 3
  i32 fractional;    // not 0: some weight is no whole number
  i32 wide;          // not 0: some weight is too large for 32 bits, or the least of them
};

// A vertex at p, which is moved behind it: false if there is none, or it is too large.
inline bool parse_vertex(const char*& p, u64& vertex) {
  const int digits = parse_eight(p, vertex);
  if (digits == 8)
    for (int more = 0; more < 2 && unsigned(*p - '0') < 10; ++more) vertex = vertex * 10 + unsigned(*p++ - '0');
  return digits > 0 && vertex < u64(std::numeric_limits<i32>::max());
}

// A weight at p, which is moved behind it.
inline bool parse_weight(const char*& p, double& weight) {
  const char* from = p;
  if (!parse_short(p, weight) && !parse_long(p = from, weight)) return false;
  return fits_float(weight);
}

inline bool is_whole(double weight) { return weight == std::floor(weight); }

inline bool is_narrow(double weight) { return std::abs(weight) < 2147483648.0; }

// Calls visit(u, v, weight) for the edge at p, which is moved behind its line.
template <class Visit>
bool edge_line(const char*& p, bool weighted, Visit visit) {
  u64 u, v;
  double weight = 0;
  if (!parse_vertex(p, u) || !skip_blanks(p) || !parse_vertex(p, v)) return false;
  if (weighted && !(skip_blanks(p) && parse_weight(p, weight))) return false;
  if (!skip_newline(p)) return false;
  visit(u, v, weight);
  return true;
}

// The bytes of a part.
inline std::pair<i64, i64> part_of(const MarketFile& file, int part, int parts) {
  const i64 size = (file.end - file.begin) / parts, first = file.begin + size * part;
  return {first, part + 1 == parts ? file.end : first + size};
}

// Looks at all edges. False if a line is malformed.
inline bool look_at_edges(const Shape& s, EdgeFile& edges) {
  std::atomic<i64> count{0}, last{-1};
  std::atomic<bool> fractional{false}, wide{false};
  const bool ok = for_each_part(s, [&](int part) {
    i64 seen = 0, most = -1;
    bool whole = true, narrow = true;
    const auto [first, end] = part_of(edges.file, part, s.parts);
    const bool parsed = each_line(edges.file, first, end, [&](const char*& p) {
      return edge_line(p, edges.columns > 2, [&](u64 u, u64 v, double weight) {
        most = std::max(most, i64(std::max(u, v)));
        whole &= is_whole(weight);
        narrow &= is_narrow(weight);
        ++seen;
      });
    });
    count += seen;
    if (!whole) fractional = true;
    if (!narrow) wide = true;
    for (i64 known = last; known < most && !last.compare_exchange_weak(known, most);) {}
    return parsed;
  });
  edges.file.count = count, edges.last = last, edges.fractional = fractional, edges.wide = wide;
  return ok;
}

// W: NoWeight, i32 or float.
template <class W>
struct ListedEdges {
  const Shape& s;
  EdgeFile& edges;
  std::atomic<i64> seen{0};

  template <class Visit>
  bool each(int part, Visit visit) {
    i64 found = 0;
    bool within = true;
    const auto [first, end] = part_of(edges.file, part, s.parts);
    const bool ok = each_line(edges.file, first, end, [&](const char*& p) {
      return edge_line(p, edges.columns > 2, [&](u64 u, u64 v, double weight) {
        ++found;
        if (u >= u64(s.n) || v >= u64(s.n)) within = false;  // the file has changed
        else visit(i32(u), i32(v), converted(weight));
      });
    });
    seen += found;
    return ok && within;
  }

 private:
  static W converted(double weight) {
    if constexpr (!IS_WEIGHT<W>) return W{};
    else if constexpr (std::is_same<W, float>::value) return float(weight) + 0.0f;
    else return is_narrow(weight) ? W(weight) : W{};
  }
};
