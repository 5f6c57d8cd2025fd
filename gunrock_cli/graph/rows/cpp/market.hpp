// The entries of a plain Matrix Market file, as a source of rows.hpp.
//
// A part of the file is read through a buffer that stays in the cache: no list of edges is ever held,
// and parsing the text twice is quicker than touching new memory for one. Only the usual form is
// understood, "ROW COLUMN[ VALUE]" with blanks between, one line per entry. Anything else makes the source
// fail, and is left to a reader that can explain it.
#pragma once
#include <charconv>
#include <cmath>
#include <limits>
#include <unistd.h>

#include "rows.hpp"

// An open file, and the facts of its first lines; gunrock_cli/graph/rows/native.py fills it.
struct MarketFile {
  i64 begin, end;  // the bytes of the entries
  i64 count;       // of entries
  i64 done;        // bytes read so far, in both passes, for a progress bar
  i32 descriptor;
  i32 stop;        // not 0 when the reading is to be given up
};

// Calls line(p) for the lines that begin in p .. stop - 1, the first of them at p; moves p behind the
// last. Two lines are under way at a time: the end of a line is known late, and while one waits for it
// the other goes on.
template <class Line>
bool each_of_block(const char*& p, const char* stop, Line& line) {
  if (p >= stop) return true;
  const char* middle = p + (stop - p) / 2;
  if (middle > p) middle = (const char*)std::memchr(middle - 1, '\n', 1 << 18) + 1;
  const char* second = middle;
  while (p < middle && second < stop)
    if (!line(p) || !line(second)) return false;
  while (p < middle)
    if (!line(p)) return false;
  while (second < stop)
    if (!line(second)) return false;
  p = second;
  return true;
}

// Calls line(p), which moves p behind one line or returns false, for each line that begins in
// first .. last - 1 of the file. False if the file cannot be read, or a line is no entry.
template <class Line>
bool each_line(MarketFile& file, i64 first, i64 last, Line line) {
  constexpr i64 SIZE = 1 << 18, PADDING = 16;  // numbers are read eight bytes at a time
  std::vector<char> buffer(SIZE + PADDING);
  bool inside = first > file.begin;  // a line that may have begun before this part
  for (i64 at = inside ? first - 1 : first; at < last;) {
    const i64 got = pread(file.descriptor, buffer.data(), std::min(SIZE, file.end - at), at);
    if (got <= 0 || __atomic_load_n(&file.stop, __ATOMIC_RELAXED)) return false;
    const char* p = buffer.data();
    char* end = buffer.data() + got;
    if (at + got == file.end && end[-1] != '\n') *end++ = '\n';
    while (end > p && end[-1] != '\n') --end;
    if (end == p) return false;  // longer than any entry
    if (inside) p = (const char*)std::memchr(p, '\n', end - p) + 1;
    inside = false;
    const char* stop = std::min<const char*>(end, buffer.data() + (last - at));
    if (!each_of_block(p, stop, line)) return false;
    at += p - buffer.data();
    __atomic_fetch_add(&file.done, p - buffer.data(), __ATOMIC_RELAXED);
  }
  return true;
}

// Reads a number of up to eight digits at p, and moves p behind them. Returns how many there are.
inline int parse_eight(const char*& p, u64& number) {
  u64 word;
  std::memcpy(&word, p, 8);
  word ^= 0x3030303030303030;  // digits become 0 to 9, all else has a higher bit set, or gets one
  const u64 others = (word | (word + 0x0606060606060606)) & 0xF0F0F0F0F0F0F0F0;
  const int digits = others ? __builtin_ctzll(others) >> 3 : 8;
  number = 0;
  if (digits == 0) return 0;
  p += digits;
  word <<= 64 - 8 * digits;  // leading zeros; then sums of neighbours, twos, fours and eights
  word = word * 10 + (word >> 8);
  number = ((word & 0x000000FF000000FF) * (100 + (u64(1000000) << 32)) +
            ((word >> 16) & 0x000000FF000000FF) * (1 + (u64(10000) << 32))) >> 32;
  return digits;
}

// A vertex number at p, which is moved behind its first 10 digits; 0 if there are none.
inline u64 parse_index(const char*& p) {
  u64 number;
  if (parse_eight(p, number) == 8)
    for (int more = 0; more < 2 && unsigned(*p - '0') < 10; ++more)
      number = number * 10 + unsigned(*p++ - '0');
  return number;
}

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

// At least one blank.
inline bool skip_blanks(const char*& p) {
  const char* from = p;
  while (is_blank(*p)) ++p;
  return p > from;
}

// Blanks, and the end of the line in either form; anything else is left to the reader that explains it.
inline bool skip_newline(const char*& p) {
  while (is_blank(*p)) ++p;
  if (*p == '\r') ++p;
  return *p++ == '\n';
}

// The value of an entry as a weight: false unless it is a number that fits.
inline bool parse_value(const char*&, NoWeight&) { return true; }

inline bool parse_value(const char*& p, i32& value) {
  if (!skip_blanks(p)) return false;
  const auto [end, error] = std::from_chars(p, p + 16, value);
  p = end;
  return error == std::errc{};
}

// Appends the digits at p, up to `most` + 1 of them, to `number`, and moves p behind them. Returns how
// many there are. In a file their lengths are much alike, so branches are predicted well.
inline int parse_digits(const char*& p, u64& number, int most) {
  int digits = 0;
  for (unsigned digit; digits <= most && (digit = unsigned(*p - '0')) < 10; ++p, ++digits)
    number = number * 10 + digit;
  return digits;
}

// Numbers whose digits and power of ten are exact as doubles, so that one division or product rounds
// them right (Clinger 1990). False, and p anywhere, for others.
inline bool parse_short(const char*& p, double& value) {
  constexpr int DIGITS = 15, MOST = 22;
  constexpr double POWERS[MOST + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const bool negative = *p == '-';
  p += negative;
  u64 mantissa = 0, power = 0;
  int digits = parse_digits(p, mantissa, DIGITS), fraction = 0, exponent = 0;
  if (*p == '.') digits += fraction = parse_digits(++p, mantissa, DIGITS);
  if (digits == 0 || digits > DIGITS) return false;
  if (*p == 'e' || *p == 'E') {
    const bool down = *++p == '-';
    p += down || *p == '+';
    const int length = parse_digits(p, power, 3);
    if (length == 0 || length > 3) return false;
    exponent = down ? -int(power) : int(power);
  }
  exponent -= fraction;
  if (exponent < -MOST || exponent > MOST) return false;
  value = exponent < 0 ? double(mantissa) / POWERS[-exponent] : double(mantissa) * POWERS[exponent];
  if (negative) value = -value;
  return true;
}

inline bool parse_long(const char*& p, double& value) {
#if defined(__cpp_lib_to_chars)
  const auto [end, error] = std::from_chars(p, (const char*)std::memchr(p, '\n', 1 << 18), value);
  p = end;
  return error == std::errc{};
#else
  return false;  // a library older than this code needs
#endif
}

// True if a number is 0 or, as a float, neither too large nor so small that a GPU may take it for 0.
inline bool fits_float(double value) {
  const double magnitude = std::abs(value);
  return magnitude <= std::numeric_limits<float>::max() &&
         (magnitude >= std::numeric_limits<float>::min() || value == 0);
}

inline bool parse_value(const char*& p, float& value) {
  if (!skip_blanks(p)) return false;
  const char* from = p;
  double exact;
  if (!parse_short(p, exact) && !parse_long(p = from, exact)) return false;
  value = float(exact) + 0.0f;  // no negative zero: either of equal weights may be kept
  return fits_float(exact);
}

// W: NoWeight, i32 or float.
template <class W>
struct MarketEntries {
  const Shape& s;
  MarketFile& file;
  bool counting;  // values do not matter yet
  std::atomic<i64> seen{0};

  template <class Visit>
  bool each(int part, Visit visit) {
    const i64 size = (file.end - file.begin) / s.parts, first = file.begin + size * part;
    i64 entries = 0;
    const bool ok = each_line(file, first, part + 1 == s.parts ? file.end : first + size,
                                [&](const char*& p) { return entry(p, visit) && ++entries; });
    seen += entries;
    return ok;
  }

 private:
  template <class Visit>
  bool entry(const char*& p, Visit& visit) {
    const u64 row = parse_index(p);
    if (!skip_blanks(p)) return false;
    const u64 column = parse_index(p);
    if (row - 1 >= u64(s.n) || column - 1 >= u64(s.n)) return false;
    W value{};
    if (IS_WEIGHT<W> && counting) p = (const char*)std::memchr(p, '\n', 1 << 18);
    else if (!parse_value(p, value)) return false;
    if (!skip_newline(p)) return false;
    visit(i32(row - 1), i32(column - 1), value);
    return true;
  }
};
