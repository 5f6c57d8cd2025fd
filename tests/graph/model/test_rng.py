import numpy as np
import pytest

from gunrock_cli.graph.model import rng


def test_parts_of_a_sequence_are_the_sequence():
    whole = rng.words(np, 0, 100, seed=3)
    assert (np.concatenate([rng.words(np, 0, 40, 3), rng.words(np, 40, 60, 3)]) == whole).all()
    assert not (rng.words(np, 0, 100, seed=4) == whole).any()
    assert not (rng.words(np, 0, 100, 3, stream=1) == whole).any()


def test_known_words():
    """The numbers must never change: graphs are named by their recipe."""
    assert [hex(int(w)) for w in rng.words(np, 0, 2, seed=0)] == WORDS


WORDS = ["0x6ad5ff626bac2349", "0x1de85163a8da5fe1"]


def test_words_are_uniform():
    words = rng.words(np, 0, 1 << 16, seed=1)
    for bit in range(64):
        ones = int(((words >> np.uint64(bit)) & np.uint64(1)).sum())
        assert abs(ones - (1 << 15)) < 6 * 128


@pytest.mark.parametrize("bound", [1, 2, 3, 10, 2**31 - 1])
def test_scaled(bound):
    numbers = rng.scaled(np, rng.words(np, 0, 10000, 0), bound)
    assert 0 <= numbers.min() <= numbers.max() < bound
    assert abs(numbers.mean() - (bound - 1) / 2) <= 6 * bound / np.sqrt(12 * 10000)


@pytest.mark.parametrize("bound", [1, 7, 2**32, 2**40 + 12345, 2**61])
def test_scaled_wide_is_the_exact_product(bound):
    words = rng.words(np, 0, 1000, 0)
    words[:2] = [0, 2**64 - 1]
    expected = [int(word) * bound >> 64 for word in words]
    assert rng.scaled_wide(np, words, bound).tolist() == expected


@pytest.mark.parametrize("bits", [0, 1, 2, 3, 7, 12])
def test_scramble_is_a_bijection(bits):
    x = rng.scramble(np, np.arange(1 << bits, dtype=np.uint64), bits, seed=5)
    assert sorted(x.tolist()) == list(range(1 << bits))


def test_bernoulli():
    words = rng.words(np, 0, 100000, 0)
    assert not rng.bernoulli(np, words, 0.0).any()
    assert rng.bernoulli(np, words, 1.0).all()
    assert abs(rng.bernoulli(np, words, 0.3).mean() - 0.3) < 0.01
