// Random words by their numbers: SplitMix64 (Steele, Lea, Flood 2014), as gunrock_cli/graph/model/rng.py computes
// them. A word is a function of a key and a number, so a seed gives the same words on every backend and in any order.
#pragma once
#include "../backend/backend.cuh"
#include "int128.cuh"

namespace gunrock {

constexpr u64 GOLDEN = 0x9e3779b97f4a7c15u;

// Maps 2^64 numbers one to one.
GR_DEVICE u64 mixed(u64 x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

// The word of a number, for the key of a seed and stream (rng.stream_key).
GR_DEVICE u64 random_word(u64 key, u64 number) { return mixed(mixed(number * GOLDEN + key) + GOLDEN); }

// The word that comes `turns` after another one, for draws that may have to be repeated.
GR_DEVICE u64 word_after(u64 word, u64 turns) { return turns ? mixed(word + turns * GOLDEN) : word; }

// A number below `bound`, from all bits of a word.
GR_DEVICE u64 below(u64 bound, u64 word) { return product(word, bound).high; }

// True with a probability of threshold / 2^32.
GR_DEVICE bool happens(u64 threshold, u64 word) { return word >> 32 < threshold; }

}  // namespace gunrock
