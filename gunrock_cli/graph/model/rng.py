"""Counter-based random numbers: the same bits for a (seed, stream, counter) everywhere.

A number is a hash of its counter (the SplitMix64 finalizer, twice), computed in wrapping 64-bit integer
arithmetic, so NumPy and CuPy give identical results, and any part of a sequence can be made alone, in any
order.
"""

from __future__ import annotations

from types import ModuleType

from gunrock_cli.graph.model.graph import Array

_GOLDEN = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1


def _mix(xp: ModuleType, x: Array) -> Array:
    """The SplitMix64 finalizer, in place on a uint64 array."""
    x ^= x >> xp.uint64(30)
    x *= xp.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> xp.uint64(27)
    x *= xp.uint64(0x94D049BB133111EB)
    x ^= x >> xp.uint64(31)
    return x


def mix_scalar(x: int) -> int:
    """The SplitMix64 finalizer of one Python integer."""
    x &= _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def stream_key(seed: int, stream: int) -> int:
    """The 64-bit key of one stream of a seed."""
    return mix_scalar(mix_scalar(seed + _GOLDEN) ^ (stream * _GOLDEN + 1))


def hash_counters(xp: ModuleType, counters: Array, seed: int, stream: int = 0) -> Array:
    """One uniform 64-bit word for each counter (any integer array, not negative): uint64, same shape."""
    x = counters.astype(xp.uint64)  # a copy: mixed in place
    x *= xp.uint64(_GOLDEN)
    x += xp.uint64(stream_key(seed, stream))
    x = _mix(xp, x)
    x += xp.uint64(_GOLDEN)
    return _mix(xp, x)


def mixed(xp: ModuleType, word: Array) -> Array:
    """Another word for each word: the SplitMix64 finalizer, which maps 2^64 numbers one to one."""
    return _mix(xp, word.copy())


def word_after(xp: ModuleType, word: Array, turns: int) -> Array:
    """The word that comes ``turns`` after each of these, for draws that may have to be repeated."""
    return _mix(xp, word + xp.uint64(turns * _GOLDEN & _MASK)) if turns else word


def words(xp: ModuleType, first: int, count: int, seed: int, stream: int = 0) -> Array:
    """The words of counters first .. first + count - 1: uint64, shape (count,)."""
    return hash_counters(xp, xp.arange(first, first + count, dtype=xp.uint64), seed, stream)


def scaled(xp: ModuleType, word: Array, bound: int) -> Array:
    """Uniform integers in [0, bound) from the upper 32 bits of words, int64; bound < 2**31.

    The bias of a multiply-shift on 32 bits is below bound / 2**32.
    """
    upper = word >> xp.uint64(32)
    upper *= xp.uint64(bound)
    upper >>= xp.uint64(32)
    return upper.astype(xp.int64)


def scaled_each(xp: ModuleType, word: Array, bounds: Array) -> Array:
    """Uniform integers in [0, bound) from the upper 32 bits of words, with a bound for each, int64."""
    upper = word >> xp.uint64(32)
    upper *= bounds.astype(xp.uint64)
    upper >>= xp.uint64(32)
    return upper.astype(xp.int64)


def scaled_wide(xp: ModuleType, word: Array, bound: int) -> Array:
    """Uniform integers in [0, bound) for any bound < 2**62, int64, bias below bound / 2**64.

    It is the high half of the 64 x 64 bit product, from 32-bit halves.
    """
    bound_hi, bound_lo = xp.uint64(bound >> 32), xp.uint64(bound & 0xFFFFFFFF)
    return _high_half(xp, word, bound_hi, bound_lo)


def scaled_wide_each(xp: ModuleType, word: Array, bounds: Array) -> Array:
    """Uniform integers in [0, bound), with a bound below 2**62 for each, int64, like ``scaled_wide``."""
    wide = bounds.astype(xp.uint64)
    return _high_half(xp, word, wide >> xp.uint64(32), wide & xp.uint64(0xFFFFFFFF))


def _high_half(xp: ModuleType, word: Array, bound_hi: Array, bound_lo: Array) -> Array:
    low32 = xp.uint64(0xFFFFFFFF)
    shift = xp.uint64(32)
    hi, lo = word >> shift, word & low32
    carry = (lo * bound_lo) >> shift
    middle = hi * bound_lo + carry
    cross = lo * bound_hi + (middle & low32)
    return (hi * bound_hi + (middle >> shift) + (cross >> shift)).astype(xp.int64)


def bernoulli(xp: ModuleType, word: Array, probability: float) -> Array:
    """True with the given probability (to 2**-32), from the upper 32 bits of words."""
    return (word >> xp.uint64(32)) < xp.uint64(threshold(probability))


def threshold(probability: float) -> int:
    """The number of values, of 2**32, that a probability corresponds to."""
    return min(max(round(probability * 2**32), 0), 2**32)


def scramble(xp: ModuleType, x: Array, bits: int, seed: int, stream: int = 0) -> Array:
    """A seeded bijection of [0, 2**bits), elementwise: relabels vertices without a table.

    Odd multiplications and xor-shifts modulo 2**bits, four rounds; ``x`` is a uint64 array and is
    overwritten.
    """
    if bits == 0:
        return x
    mask = xp.uint64((1 << bits) - 1)
    shift = xp.uint64(max(1, (bits + 1) // 2))
    for turn in range(4):
        key = stream_key(seed, stream + turn)
        x *= xp.uint64(key | 1)
        x += xp.uint64(mix_scalar(key))
        x &= mask
        x ^= x >> shift
    return x


def shuffled(xp: ModuleType, count: int, seed: int, stream: int = 0) -> Array:
    """The numbers 0 .. count - 1 in random order, int64. No two counters have the same word, so the order
    is the same everywhere."""
    return xp.argsort(words(xp, 0, count, seed, stream)).astype(xp.int64, copy=False)
