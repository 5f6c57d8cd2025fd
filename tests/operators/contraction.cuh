// Contraction by given labels, and a scan over the grid, for the tests.
#include "core/enactor.cuh"
#include "operators/contraction.cuh"

struct Problem {
  vertex_t* labels;
  i32* sizes;
  edge_t* rooms;
  vertex_t* numbers;
  u64* scan_sums;
  edge_t* begins;
  edge_t* ends;
  edge_t* room_ends;
  edge_t* place;
  vertex_t* columns;
  i64* sums;
  vertex_t* slot_keys;
  i64* slot_sums;
  vertex_t* long_lists;
  vertex_t* giants;
  u64* giants_count;
  i64 entries;
  i64* count;
  u64* within;
  i64 doubles;
  u64* values;   // to be scanned
  u64* scanned;
  i64 length;
};

enum Phase { ROOMS, SUM, NUMBER, PLACE, COPY, COMBINE, SUM_GIANTS, PLACE_GIANTS };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const auto lists = WeightedLists<i64>::of(ctx.graph.csr, 1.0);
    const Rows<i64> rows = {p.begins, p.ends, p.room_ends, p.columns, p.sums};
    const Labels labels = {ctx.graph.n, p.labels, p.sizes, p.rooms, p.numbers};
    const BlockLists known = {p.long_lists, &control.counters[0]};
    const Giants giants = {p.giants, p.giants_count, p.entries};
    const KeySlots<i64> slots = {p.slot_keys, p.slot_sums};
    const auto value = [&](i64 i) { return p.values[i]; };
    ctx.show(i32(s.step), 0, ctx.graph.n, 0);
    switch (s.step) {
      case ROOMS: room_of_labels(ctx, labels, lists); break;
      case SUM: sum_labels(ctx, labels, p.scan_sums); break;
      case NUMBER:
        number_labels(ctx, labels, p.scan_sums, rows, p.count, [](i64, vertex_t) {});
        break;
      case PLACE:
        place_lists(ctx, labels, lists, rows, p.place);
        sum_chunks(ctx, p.length, value, p.scan_sums);
        break;
      case COPY:
        copy_lists(ctx, s, labels, lists, rows, p.place, p.doubles != 0);
        find_lists_for_blocks<i64>(ctx, p.count[0], rows.rooms(), known);
        find_giants(ctx, p.count[0], rows, giants);
        scan_chunks(ctx, p.length, value, p.scan_sums,
                    [&](i64 i, u64 before, u64 x) { p.scanned[i] = before + x; });
        break;
      case COMBINE: combine_rows(ctx, s, p.count[0], rows, known, giants, slots, p.within); break;
      case SUM_GIANTS: sum_giants(ctx, p.count[0], rows, giants, slots); break;
      default:
        place_giants(ctx, p.count[0], rows, giants, slots, p.within);
        return false;
    }
    return true;
  }
};
