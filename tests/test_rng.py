# SPDX-License-Identifier: MIT
"""The random numbers: golden values, evenness, seeds that never meet, and the bots' generator.

The oracle is written here with plain Python integers, from the description at the head of
cpp/include/skyjo/rng.hpp and the papers it names; it shares no code with the engine.
"""

from __future__ import annotations

import copy
import itertools
import pickle
import random
import statistics
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from skyjo_core import Game, Rng, Rules, View, _core, play_game
from skyjo_core._rng import Stream, unseeded

MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
# The purposes of keys.
GAME, ROUND, DECK, RESHUFFLE, STARTER, BOT = range(1, 7)
KEYS = [0, 1, 2, 1234567, 2**32, 2**63, MASK, *(GOLDEN * i & MASK for i in range(1, 200))]
# The first outputs of splitmix64 with seed 1234567, as published with its reference code.
SPLITMIX64 = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]


def mix64(x: int) -> int:
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def derive(seed: int, purpose: int, *words: int) -> int:
    key = mix64(seed + GOLDEN & MASK) ^ purpose
    for word in words:
        key = mix64(key + GOLDEN & MASK) ^ word
    return mix64(key + GOLDEN & MASK)


class PlainStream:
    def __init__(self, key: int) -> None:
        self.position = mix64(key ^ 0x243F6A8885A308D3)
        self.step = mix64(key ^ 0x13198A2E03707344) | 1
        self.mended = (self.step ^ self.step >> 1).bit_count() < 24
        if self.mended:
            self.step ^= 0xAAAAAAAAAAAAAAAA

    def next(self) -> int:
        self.position = self.position + self.step & MASK
        product = self.position * (self.position ^ 0xE7037ED1A0B428DB)
        return product >> 64 ^ product & MASK

    def below(self, n: int) -> int:
        return self.next() * n >> 64


def shuffled(cards: list[int], key: int) -> list[int]:
    stream = PlainStream(key)
    cards = list(cards)
    product = 0
    for i in range(len(cards) - 1):
        word = stream.next() if i % 4 == 0 else product & MASK
        product = word * (len(cards) - i)
        j = i + (product >> 64)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


CLASSIC_DECK = [-2] * 5 + [-1] * 10 + [0] * 15 + [v for v in range(1, 13) for _ in range(10)]


# Golden values: the same numbers on every platform


def test_mixing_gives_published_splitmix64_outputs() -> None:
    """Output n of splitmix64 is mix64(seed + n * golden ratio); a stream's position shows mix64."""
    for n, expected in enumerate(SPLITMIX64, start=1):
        word = 1234567 + n * GOLDEN & MASK
        assert mix64(word) == expected
        assert Stream(word ^ 0x243F6A8885A308D3).getstate()[0] == expected


def test_stream_starts_where_its_key_says() -> None:
    """Position and step are functions of the key; a step that mixes badly is mended."""
    plain = [PlainStream(key) for key in KEYS]
    assert any(stream.mended for stream in plain)
    for key, expected in zip(KEYS, plain, strict=True):
        assert Stream(key).getstate() == (expected.position, expected.step)


def test_p38_stream_gives_golden_numbers() -> None:
    """Every kind of draw is the oracle's, bit by bit."""
    for key in KEYS:
        stream, plain = Stream(key), PlainStream(key)
        assert [stream.next() for _ in range(20)] == [plain.next() for _ in range(20)]
        for n in (1, 2, 3, 15, 37, 150, 2**31, 2**32 - 1, 2**32):
            assert stream.below(n) == plain.below(n)
        assert stream.random() == (plain.next() >> 11) / 2**53


def test_seeds_and_keys_are_golden() -> None:
    """Game seeds and bots' keys are chains of mix64 over their arguments in order."""
    for master, deal in itertools.product((0, 1, 7, 2**63, MASK), (0, 1, 99, 2**40)):
        assert _core.game_seed(master, deal) == derive(master, GAME, deal)
        seats = [derive(master, BOT, deal, 3, 2, seat) for seat in range(4)]
        expected = [mix64(key + GOLDEN & MASK) ^ key for key in seats]
        assert _core.bot_keys(master, deal=deal, lineup=3, seating=2, n=4) == expected


@pytest.mark.parametrize("seats", [2, 5, 8])
def test_p38_decks_are_golden(seats: int, random_game: Callable[..., Game]) -> None:
    """The deck of a round is the sorted deck, shuffled by the key of (game seed, round)."""
    for seed in (0, 1, 12345678901234567890, MASK):
        rules = Rules(threshold=None, max_rounds=3)
        rounds = random_game(seats, rules, seed).record()["rounds"]
        positions = [
            shuffled(CLASSIC_DECK, derive(derive(seed, ROUND, number), DECK)) for number in range(3)
        ]
        assert [entry["deck"] for entry in rounds] == positions


def test_reshuffles_are_golden() -> None:
    """A new pile is the discards, bottom first without the top, shuffled by (round, number)."""
    seed, n_reshuffles = 4, 0
    game = Game(2, Rules(stall_limit=None, max_turns_per_round=600, max_rounds=1), seed)
    round_key = derive(seed, ROUND, 0)
    while game.seat >= 0:
        position = game.position()
        if game.phase.name == "FLIP":
            game.apply(game.legal_moves()[0])
        elif game.phase.name == "HOLD":
            game.apply(24)  # swap r1c1 for ever: the round never closes by itself
        elif position["draw"]:
            game.apply(36)
        else:
            game.apply(36)
            expected = shuffled(
                position["discard"][:-1], derive(round_key, RESHUFFLE, n_reshuffles)
            )
            after = game.position()
            assert [after["hand"], *after["draw"]] == expected
            n_reshuffles += 1
    assert n_reshuffles >= 3
    assert len(game.record()["rounds"][0]["reshuffles"]) == n_reshuffles


def test_random_starters_are_golden() -> None:
    """A random starter comes from the round's own stream, over the seats or over the tied ones."""
    for seed in range(40):
        game = Game(4, Rules(start_first="random", max_rounds=1), seed)
        while game.phase.name == "FLIP":
            game.apply(game.legal_moves()[0])
        key = derive(derive(seed, ROUND, 0), STARTER)
        assert game.seat == PlainStream(key).below(4)


def test_random_choice_among_tied_starters_is_golden() -> None:
    """start_tie random: the n-th of the tied seats, n from the round's stream."""
    found: Counter[int] = Counter()
    for seed in range(1500):
        game = Game(3, Rules(start_tie="random"), seed)
        for _ in range(3):
            game.apply(0)
            game.apply(1)
        sums = [sum(game.view(0).cells(seat)[:2]) for seat in range(3)]
        tied = [seat for seat in range(3) if sums[seat] == max(sums)]
        if len(tied) == 1:
            continue
        key = derive(derive(seed, ROUND, 0), STARTER)
        choice = PlainStream(key).below(len(tied))
        assert game.seat == tied[choice]
        found[choice] += 1
    assert found[0] > 20
    assert found[1] > 20


# Evenness, at fixed keys: each bound would be missed once in more than 10,000 keys


def test_bits_are_balanced() -> None:
    """Each of the 64 bits is set in half of 20,000 outputs, within 5 standard errors."""
    stream = Stream(2024)
    words = np.array([stream.next() for _ in range(20_000)], dtype=np.uint64)
    bits = (words[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    assert np.abs(bits.sum(axis=0) - 10_000.0).max() < 5 * (20_000 / 4) ** 0.5


@pytest.mark.parametrize("n", [2, 3, 7, 12, 15, 37, 150])
def test_below_is_uniform(n: int) -> None:
    """Chi-square of 30,000 draws below n."""
    stream = Stream(n)
    counts = Counter(stream.below(n) for _ in range(30_000))
    assert set(counts) == set(range(n))
    assert stats.chisquare(list(counts.values())).pvalue > 1e-4


def test_below_is_independent_of_the_draw_before() -> None:
    """Chi-square of 40,000 pairs of successive draws below 8."""
    stream = Stream(5)
    draws = [stream.below(8) for _ in range(40_001)]
    pairs = Counter(itertools.pairwise(draws))
    assert len(pairs) == 64
    assert stats.chisquare(list(pairs.values())).pvalue > 1e-4


def test_neighbouring_keys_give_unrelated_streams() -> None:
    """The first draws of 20,000 neighbouring keys are as even as the draws of one stream."""
    firsts = [Stream(key).next() for key in range(20_000)]
    assert len(set(firsts)) == len(firsts)
    for shift in (0, 30, 60):  # low, middle and high bits
        counts = Counter(word >> shift & 15 for word in firsts)
        assert stats.chisquare(list(counts.values())).pvalue > 1e-4


def test_below_refuses_what_it_cannot_draw() -> None:
    """n is a whole number from 1 to 2**32."""
    stream = Stream(1)
    for n in (0, -1, 2**32 + 1, 2**64):
        with pytest.raises(ValueError, match=r"below: expected n from 1 to 2\*\*32"):
            stream.below(n)
    assert 0 <= stream.below(2**32) < 2**32
    assert stream.below(1) == 0


def test_below_refuses_floats() -> None:
    """A float is of the wrong kind; it is not cut down to a whole number."""
    with pytest.raises(TypeError):
        Stream(1).below(2.5)  # type: ignore[arg-type]


# Seeds


def test_p39_game_seeds_never_repeat() -> None:
    """100,000 consecutive master seeds, and 300 deals of 300 seeds: no game seed occurs twice."""
    assert len({_core.game_seed(seed, 0) for seed in range(100_000)}) == 100_000
    grid = {_core.game_seed(seed, deal) for seed in range(300) for deal in range(300)}
    assert len(grid) == 90_000


def test_p39_first_decks_never_repeat() -> None:
    """20,000 consecutive game seeds deal 20,000 different decks; cards of two seats tell."""
    decks = {tuple(Game(2, seed=seed)._round_dicts()[0]["deck"]) for seed in range(1000, 21_000)}
    assert len(decks) == 20_000


def test_p39_second_deck_of_a_seed_is_not_the_first_of_the_next() -> None:
    """Rounds are hashed into the key, not added to the seed."""
    rules = Rules(threshold=None, max_rounds=3)
    decks = []
    for seed in range(20):
        game = Game(2, rules, seed)
        while game.seat >= 0:
            game.apply(game.legal_moves()[-1 if game.phase.name == "TURN" else 0])
        decks += [tuple(entry["deck"]) for entry in game.record()["rounds"]]
    assert len(set(decks)) == len(decks) == 60


def test_bot_keys_differ_in_every_argument() -> None:
    """All keys of small arguments differ, from each other and from every game seed."""
    keys = [
        key
        for master, deal, lineup, seating in itertools.product(range(6), repeat=4)
        for key in _core.bot_keys(master, deal=deal, lineup=lineup, seating=seating, n=6)
    ]
    seeds = {_core.game_seed(master, deal) for master in range(100) for deal in range(100)}
    assert len(set(keys)) == 6**5
    assert seeds.isdisjoint(keys)


# The bots' generator


def test_rng_is_a_random_over_the_stream() -> None:
    """`Rng` is a random.Random; below() is the stream's draw, which native bots use too."""
    rng, plain = Rng(99), PlainStream(99)
    assert isinstance(rng, random.Random)
    assert [rng.below(37) for _ in range(50)] == [plain.below(37) for _ in range(50)]
    assert rng.random() == (plain.next() >> 11) / 2**53
    assert rng.getrandbits(64) == plain.next()
    assert rng.getrandbits(5) == plain.next() >> 59
    assert rng.getrandbits(0) == 0
    assert rng.getrandbits(100) == (plain.next() << 64 | plain.next()) >> 28


def test_rng_refuses_wrong_limits() -> None:
    """below(0), below(2**32 + 1) and negative numbers of bits are errors of content."""
    rng = Rng(1)
    for n in (0, 2**32 + 1):
        with pytest.raises(ValueError, match="below"):
            rng.below(n)
    with pytest.raises(ValueError, match="getrandbits"):
        rng.getrandbits(-1)


@pytest.mark.parametrize("key", [-1, 2**64])
def test_rng_refuses_keys_out_of_range(key: int) -> None:
    """A key is 0..2**64 - 1; another is an error of content, as it is for Game."""
    with pytest.raises(ValueError, match="64"):
        Rng(key)


def test_rng_methods_work_on_the_stream() -> None:
    """What random.Random derives is derived from the stream: equal keys, equal results."""

    def use(rng: Rng) -> list[Any]:
        items = list(range(30))
        rng.shuffle(items)
        return [
            items,
            rng.choice(items),
            rng.sample(items, 5),
            rng.choices(items, k=4),
            rng.randrange(10**30),
            rng.uniform(-1, 1),
            rng.gauss(0, 1),
            rng.gauss(0, 1),
            rng.randbytes(9),
        ]

    assert use(Rng(3)) == use(Rng(3))
    assert use(Rng(3)) != use(Rng(4))
    assert sorted(use(Rng(3))[0]) == list(range(30))


def test_rng_gauss_is_normal() -> None:
    """Mean and spread of 5,000 normal draws, within 5 standard errors."""
    rng = Rng(11)
    draws = [rng.gauss(0, 1) for _ in range(5000)]
    assert abs(statistics.fmean(draws)) < 5 / 5000**0.5
    assert abs(statistics.pstdev(draws) - 1) < 5 / 10_000**0.5


def test_rng_state_goes_back() -> None:
    """getstate and setstate, pickle and copy keep the future, with a normal draw in store."""
    rng = Rng(8)
    rng.gauss(0, 1)
    state = rng.getstate()
    twins = [pickle.loads(pickle.dumps(rng)), copy.copy(rng), copy.deepcopy(rng)]

    def future(rng: Rng) -> list[float]:
        return [rng.gauss(0, 1), rng.random(), rng.below(1000), rng.getrandbits(70)]

    expected = future(rng)
    assert [future(twin) for twin in twins] == [expected] * 3
    rng.setstate(state)
    assert future(rng) == expected


def test_rng_seed_starts_anew() -> None:
    """seed(key) makes the generator as new, and forgets a normal draw in store."""
    rng = Rng(1)
    rng.gauss(0, 1)
    rng.seed(2)
    assert rng.getstate() == Rng(2).getstate()
    assert rng.below(10**9) == Rng(2).below(10**9)


def test_rng_of_another_kind_has_its_own_numbers() -> None:
    """A subclass is made as Rng is, and what it overrides holds."""

    class Dice(Rng):
        def random(self) -> float:
            return 0.5

    dice = Dice(7)
    assert (type(dice), dice.uniform(0, 4)) == (Dice, 2.0)
    assert dice.below(37) == Rng(7).below(37)


def test_unseeded_makes_generators_alone() -> None:
    """Another class would be left without what its own __new__ makes."""
    assert isinstance(unseeded(random.Random), random.Random)
    for wrong in (dict, int, 3):
        with pytest.raises(
            TypeError, match=r"unseeded: expected a subclass of random\.Random, got"
        ):
            unseeded(wrong)  # type: ignore[type-var]


def test_rng_kept_from_an_earlier_game_stays_as_it_was() -> None:
    """Each game has generators of its own: one that a bot keeps goes on with its own numbers."""
    kept: list[tuple[Rng, tuple[Any, ...]]] = []

    def keeps(view: View, rng: Rng) -> int:
        kept.append((rng, rng.getstate()))
        return view.legal_moves[0]

    for seed in (1, 2):
        play_game([keeps, "native:random"], seed=seed)
    assert len({id(rng) for rng, _ in kept}) == 2
    assert all(rng.getstate() == state for rng, state in kept)
