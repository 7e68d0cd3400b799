# SPDX-License-Identifier: MIT
"""Games as bytes and pickles (API 3): what comes back, and what damage is refused."""

from __future__ import annotations

import copy
import hashlib
import pickle
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from random_play import play_on, walk
from random_rules import random_rules
from skyjo_core import HIDDEN, Game, Phase, Rules, play_game
from skyjo_core.archive import pack, unpack
from test_reference import VARIANTS

MARK = b"skyjo-game/1\n"


class Marked(Game):
    """A subclass, as a search might have."""


def again(game: Game) -> Game:
    return Game.from_bytes(game.to_bytes())


def check_same(game: Game, other: Game) -> None:
    """Both tell the same of what was, is and may be."""
    assert other.position() == game.position()
    assert other.rules == game.rules
    assert other.to_bytes() == game.to_bytes()
    assert (other.seat, other.phase, other.n_seats) == (game.seat, game.phase, game.n_seats)
    assert (other.totals, other.places) == (game.totals, game.places)
    assert other.legal_moves() == game.legal_moves()
    assert other.round_number == game.round_number
    if game._has_log:
        assert other.rounds == game.rounds
    if game._has_record:
        assert other.record() == game.record()


# What comes back


@pytest.mark.parametrize("variant", VARIANTS)
def test_game_comes_back_from_its_bytes_at_every_state(variant: str) -> None:
    """All options in turn, every move of the game, and its end; stack and lanes."""
    rules = Rules(**VARIANTS[variant])
    style = ("even", "drawer", "swapper")[len(variant) % 3]
    deck = ("stack", "lanes")[len(variant) % 2]
    game = Game(min(2 + len(variant) % 3, rules.max_seats), rules, 3, deck)
    for state in walk(game, random.Random(variant), style, n_moves=60):
        check_same(state, again(state))
    check_same(game, again(game))


def test_game_comes_back_by_any_rules() -> None:
    """A hundred random rules: dealt games, and worlds that were made of them."""
    for number in range(100):
        rng = random.Random(number)
        rules = random_rules(rng)
        deck = ("stack", "lanes")[number % 2]
        game = Game(rng.randint(2, rules.max_seats), rules, number, deck)
        for state in walk(game, rng, ("even", "drawer", "swapper")[number % 3], n_moves=100):
            if rng.random() < 0.1:
                check_same(state, again(state))
                for world in (
                    state.determinize(number),
                    state.copy(log=False),
                    Game.from_view(state.view(), number),
                    Game.from_position(**state.position()),
                ):
                    check_same(world, again(world))


@pytest.mark.parametrize("seats", range(2, 9))
def test_game_comes_back_after_its_piles_were_made_anew(seats: int) -> None:
    """By the default rules, with every number of seats: three reshuffles, exchanged cards only."""
    game = Game(seats, Rules(stall_limit=None), seats)
    n_checked = 0
    while game.view(0).reshuffles < 3:
        view = game.view()
        moves = game.legal_moves()
        if game.phase == Phase.HOLD:
            moves = [move for move in moves if move >= 24 and view.cells(0)[move - 24] != HIDDEN]
        game.apply(moves[-1])
        if view.draw_pile_size < 2:
            n_checked += 1
            check_same(game, again(game))
    assert n_checked > 5


@pytest.mark.parametrize("deck", ["stack", "lanes"])
@pytest.mark.parametrize("n_moves", [0, 5, 40, 120, 200])
def test_game_goes_on_from_its_bytes_as_it_would_have(deck: str, n_moves: int) -> None:
    """The same moves give the same future: later deals, reshuffles and starters included."""
    rules = Rules(threshold=None, max_rounds=4, start_later="random", start_tie="random")
    game = play_on(Game(3, rules, 9, deck), random.Random(9), n_moves)
    other = again(game)
    for state in (game, other):
        for _ in walk(state, random.Random(1), "drawer"):
            pass
    assert game.record() == other.record()
    assert game.to_bytes() == other.to_bytes()
    assert any(entry["reshuffles"] for entry in game.record()["rounds"])


def test_column_that_lies_complete_leaves_after_the_bytes_as_well() -> None:
    """A position may hold a complete column: it leaves with the end of the next turn."""
    first = "5 1 2 3 / 5 1 2 4 / 5 1 7 8"
    second = "9 h1 2 h3 / 9 h1 2 h3 / 9 h4 5 h6"
    game = Game.from_position(
        grids=[first, second], draw=[7, 8, 9] * 5, discard=[11], turn=1, closer=0
    )
    for one in (game, again(game)):
        one.apply(12 + 9)
        assert one.rounds[0].raw == (26, 35)
        assert one.totals == (26, 35)


def test_worlds_go_on_from_their_bytes_as_they_would_have() -> None:
    """Determinized, from a view, from a position with reshuffles to come; cards forced too."""
    state = play_on(Game(3, Rules(threshold=None, max_rounds=2), 9), random.Random(9), 25)
    position = state.position() | {"draw": [], "discard": [3, 4, 5], "reshuffles": [[4, 3]]}
    for game in (
        state.determinize(5),
        Game.from_view(state.view(), 5),
        Game.from_position(**position),
    ):
        for forces in (False, True):
            ends = [
                played_on(world, random.Random(1), forces=forces)
                for world in (game.copy(), again(game))
            ]
            assert ends[0].to_bytes() == ends[1].to_bytes()


def played_on(game: Game, rng: random.Random, *, forces: bool) -> Game:
    while game.seat >= 0:
        move = rng.choice(game.legal_moves())
        values, _ = game.outcomes(move)
        game.apply(move, card=rng.choice(values) if values and forces else None)
    return game


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_game_survives_pickle(protocol: int) -> None:
    """By every protocol, its class and history included."""
    for game in (Game(3, seed=1), Marked(3, seed=1)):
        play_on(game, random.Random(1), 60)
        other = pickle.loads(pickle.dumps(game, protocol))
        assert type(other) is type(game)
        check_same(game, other)


def test_subclass_keeps_its_class() -> None:
    """From bytes, copies, views and positions."""
    game = Marked(2, Rules(threshold=50), 3)
    for other in (
        Marked.from_bytes(game.to_bytes()),
        game.copy(),
        copy.deepcopy(game),
        game.determinize(1),
        Marked.from_view(game.view(), 1),
        Marked.from_position(**game.position()),
    ):
        assert type(other) is Marked
        assert other.rules == game.rules
    assert type(Game.from_bytes(game.to_bytes())) is Game


def test_played_game_survives_pickle() -> None:
    """What play_game gives can be sent to another process, record included."""
    played = play_game(["native:random", "native:threshold"], seed=1)
    other = pickle.loads(pickle.dumps(played))
    assert other.record() == played.record()


def test_bytes_of_any_kind_are_read() -> None:
    """bytes, bytearray and memoryview."""
    game = play_on(Game(2, seed=1), random.Random(1), 10)
    data = game.to_bytes()
    for given in (data, bytearray(data), memoryview(data)):
        check_same(game, Game.from_bytes(given))  # type: ignore[arg-type]


def test_equal_games_are_equal_bytes() -> None:
    """And games that differ in seed, move, rules, seats, deck or history are not."""
    game = play_on(Game(2, seed=1), random.Random(1), 10)
    assert game.copy().to_bytes() == game.to_bytes()
    others = [
        *(Game(2, seed=1), Game(2, seed=2), Game(3, seed=1), Game(2, seed=1, deck="lanes")),
        *(Game(2, Rules(threshold=99), 1), game, game.copy(log=False), game.determinize(1)),
    ]
    assert len({other.to_bytes() for other in others}) == len(others)


# What is refused


@pytest.mark.parametrize("wrong", [None, 5, "skyjo-game/1\n", [1], Game, 1.5])
def test_what_is_no_bytes_is_refused(wrong: Any) -> None:
    """TypeError, for it is the wrong kind."""
    with pytest.raises(TypeError, match="from_bytes: expected bytes, got"):
        Game.from_bytes(wrong)


@pytest.mark.parametrize("mark", [b"skyjo-game/2\n", b"skyjo-game/0\n", b"skyjo-record", b"", b"{"])
def test_bytes_of_another_version_are_refused(mark: bytes) -> None:
    """The mark says what they are; the message has what was expected and what came."""
    data = mark + Game().to_bytes()[len(MARK) :]
    with pytest.raises(ValueError, match=r"from_bytes: expected bytes that begin with b'skyjo-"):
        Game.from_bytes(data)


def test_bytes_that_are_cut_or_longer_are_refused() -> None:
    """At every length."""
    data = play_on(Game(2, seed=1), random.Random(1), 10).to_bytes()
    for end in range(len(data)):
        with pytest.raises(ValueError, match="from_bytes: expected"):
            Game.from_bytes(data[:end])
    with pytest.raises(ValueError, match="from_bytes: expected whole bytes"):
        Game.from_bytes(data + b"\0")


def sealed(body: bytes) -> bytes:
    """Bytes with a mark and a checksum that fit what follows, whatever that is."""
    return MARK + hashlib.blake2b(body, digest_size=8).digest() + body


def body_of(game: Game) -> bytes:
    return game.to_bytes()[len(MARK) + 8 :]


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"\0", b"\0\0\0\0", b"\2\0\0\0{}", b"\xff\xff\xff\xff{}", b"\4\0\0\0null"),
        *(b"\2\0\0\0[]", b"\1\0\0\0" + b"5", b"\5\0\0\0[[1]]", b"\2\0\0\0\xff\xfe"),
        b"\x0f\0\0\0" + b'{"threshold":0}',
        b"\xa0\x86\1\0" + b"[" * 100_000,
        b"\x0b\0\0\0" + b'[["a","b"]]',
        b"\x10\0\0\0" + b'{"game":"action"}'[:16],
    ],
)
def test_sealed_nonsense_is_refused(body: bytes) -> None:
    """The checksum holds, but there are no rules or no game."""
    with pytest.raises(ValueError, match="from_bytes: expected"):
        Game.from_bytes(sealed(body))


def test_state_of_other_rules_or_none_is_refused() -> None:
    """The rules of a smaller grid, deck or table do not fit the state of the usual ones."""
    _, state = unpack(Game(8, seed=1).to_bytes())
    for rules in (
        Rules(rows=2),
        Rules(columns=3),
        Rules(deck="numbers105"),
        Rules(deck=[[1, 120], [2, 29]]),
        Rules(rows=1),
    ):
        with pytest.raises(ValueError, match="from_bytes: expected the bytes of a game by these"):
            Game.from_bytes(pack(rules, state))
    with pytest.raises(ValueError, match="from_bytes: expected the bytes of a game by these"):
        Game.from_bytes(pack(Rules(), b""))
    with pytest.raises(ValueError, match="from_bytes: expected the bytes of a game by these"):
        Game.from_bytes(pack(Rules(), state + b"\0"))


def damages(rng: random.Random, data: bytes) -> Iterator[bytes]:
    """Bytes flipped, cut, put in and doubled, for ever."""
    while True:
        place, other = sorted(rng.randrange(len(data)) for _ in range(2))
        changed = bytearray(data)
        kind = rng.randrange(8)
        if kind <= 3:
            for _ in range(rng.randint(1, 3)):
                changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
        elif kind == 4:
            changed[place] = rng.choice([0, 1, 127, 128, 255])
        elif kind == 5:
            del changed[place : other + 1]
        elif kind == 6:
            changed[place:place] = rng.randbytes(rng.randint(1, 9))
        else:
            changed[place:place] = data[place:other]
        if changed != data:
            yield bytes(changed)


def games_to_damage() -> list[Game]:
    """Of every kind and phase, after reshuffles and at the end."""
    games = []
    for number in range(30):
        rng = random.Random(number)
        rules = random_rules(rng) if number % 2 else Rules(max_rounds=2, threshold=None)
        game = Game(2, rules, number, ("stack", "lanes")[number % 4 // 2])
        for _ in walk(game, rng, ("even", "drawer")[number % 3 // 2], rng.randrange(90)):
            pass
        if game.seat >= 0 and number % 5 == 0:
            game = (game.determinize(1), Game.from_view(game.view(), 1))[number // 5 % 2]
        games.append(game.copy(log=number % 7 > 0))
    return games


def check_damaged(n: int, seed: int, damage: Callable[[Game, random.Random], bytes]) -> int:
    """ValueError, or a game that plays; returns how many play."""
    rng = random.Random(seed)
    games = games_to_damage()
    n_read = 0
    for _ in range(n):
        data = damage(rng.choice(games), rng)
        try:
            game = Game.from_bytes(data)
        except ValueError:
            continue
        n_read += 1
        assert Game.from_bytes(game.to_bytes()).to_bytes() == game.to_bytes()
        for seat in range(game.n_seats):
            assert all(len(played) == 3 for played in game.view(seat).moves)
        assert str(game)
        play_on(game, rng, 60)
        assert game.position()
        if game._has_log:
            assert len(game.rounds) >= 0
        if game._has_record:
            assert game.record()
    return n_read


def broken(game: Game, rng: random.Random) -> bytes:
    return next(damages(rng, game.to_bytes()))


def broken_and_sealed(game: Game, rng: random.Random) -> bytes:
    return sealed(next(damages(rng, body_of(game))))


def test_damaged_bytes_are_refused() -> None:
    """2,000 times: the checksum tells them, so none is read."""
    assert check_damaged(2000, 1, broken) == 0


def test_damaged_bytes_with_a_checksum_are_refused_or_play() -> None:
    """1,000 times damaged below a checksum that holds."""
    assert check_damaged(1000, 2, broken_and_sealed) > 30


@pytest.mark.slow
def test_twenty_thousand_damaged_bytes_are_refused_or_play() -> None:
    """As above, more often."""
    assert check_damaged(20_000, 3, broken) == 0
    assert check_damaged(20_000, 4, broken_and_sealed) > 600
