# SPDX-License-Identifier: MIT
"""A game of Skyjo as Python sees it."""

from __future__ import annotations

import json
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from skyjo_core import _core, _view
from skyjo_core._view import View
from skyjo_core.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Game", "Playouts", "Round", "compact", "make_record"]

_PLAYOUTS_AT_ONCE: Final = 10_000  # between two looks at Ctrl-C
_DEFAULT_RULES: Final = Rules()


@dataclass(frozen=True, slots=True)
class Round:
    """A finished round.

    Attributes
    ----------
    starter, closer : int or None
        Absolute seats; closer is None in a capped round.
    raw, points : tuple of int
        By absolute seat: the sum of the grid, and with the closer's doubling.
    cells : bytes
        One signed byte a cell, seat after seat in cell order, as scored.
    moves : tuple of int
        All moves, opening flips first.
    stalled, capped : bool
        The stall rule came to hold; the cap on turns ended the round.
    shape : tuple of int
        (n_seats, rows, columns).
    """

    starter: int | None
    closer: int | None
    raw: tuple[int, ...]
    points: tuple[int, ...]
    cells: bytes
    moves: tuple[int, ...]
    stalled: bool
    capped: bool
    shape: tuple[int, int, int]

    @property
    def grids(self) -> npt.NDArray[np.int8]:
        """The grids after the reveal, read-only int8 (n_seats, rows, columns): value or REMOVED."""
        import numpy as np

        n_seats, rows, columns = self.shape
        by_column = np.frombuffer(self.cells, dtype=np.int8).reshape(n_seats, columns, rows)
        return by_column.transpose(0, 2, 1)


@dataclass(frozen=True, slots=True, eq=False)
class Playouts:
    """What came of playouts: arrays by playout and absolute seat.

    Attributes
    ----------
    raw, points : int16, shape (n, n_seats)
        The sums of the grids, and with the closer's doubling.
    closer : int8, shape (n,)
        The seat that closed; -1 where the cap on turns ended the round.
    """

    raw: npt.NDArray[np.int16]
    points: npt.NDArray[np.int16]
    closer: npt.NDArray[np.int8]


class Game(_core.Game):
    """A game with its history; the first round is dealt and the first opening flip due.

    Parameters
    ----------
    seats : int
        2 to rules.max_seats.
    rules : Rules, optional
        Default `Rules()`, the preset classic-fr.
    seed : int
        0..2**64 - 1: decides every deck. Same seats, rules, seed and moves: same game.
    deck : {"stack", "lanes"}
        One draw pile, or a lane of its own for each seat: the same law.

    Examples
    --------
    >>> game = Game(seats=2, seed=7)
    >>> game.apply(game.legal_moves()[0])
    >>> game.seat, game.phase.name
    (0, 'FLIP')
    """

    rules: Rules

    # All is made in __new__: an object that exists has a game, and __init__ cannot change it.
    def __new__(
        cls, seats: int = 2, rules: Rules | None = None, seed: int = 0, deck: str = "stack"
    ) -> Game:
        rules = checked_rules("Game", rules)
        seats = checked_integer("Game: seats", seats, 2, rules.max_seats)
        seed = checked_integer("Game: seed", seed, 0, 2**64 - 1)
        if deck not in ("stack", "lanes"):
            raise ValueError(f"Game: deck: expected 'stack' or 'lanes', got {deck!r}")
        self = super().__new__(cls)
        _core.Game.__init__(self, rules._setup, seats, seed, deck == "lanes")
        self.rules = rules
        return self

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    @classmethod
    def from_position(cls, **position: Any) -> Game:
        """A game in the middle of a round, which ends with that round.

        Parameters
        ----------
        **position
            As in the case files: grids, draw, discard, hand, turn, starter, closer,
            last_turns_left, reshuffles, stalled, totals, phase, rules; and `reshuffled`, how often
            the draw pile has been made anew: if ever, it is a pool of its own (docs/rules.md, E.5).

        Raises
        ------
        ValueError
            Names everything that is wrong with the position.
        """
        from skyjo_core.position import read_position

        return cls._from_fields(*read_position(position))

    @classmethod
    def _from_fields(cls, rules: Rules, fields: dict[str, Any]) -> Game:
        game = super().__new__(cls)
        _core.Game.__init__(game, rules._setup, fields)
        game.rules = rules
        return game

    @classmethod
    def from_view(cls, view: View, seed: int) -> Game:
        """A game with the public state of a view and the unknown cards dealt anew.

        It ends with its round; its seats are the absolute ones. The view of the same seat is equal
        to the one given, but for time limits. Cards are dealt from the pools that the view counts,
        after a reshuffle from two (docs/rules.md, E.5). Discards below the top one, which no rule
        looks at, lie in ascending order; a starter that the view does not tell yet is drawn.

        Parameters
        ----------
        view : View
            Of a round that is not over.
        seed : int
            0..2**64 - 1: decides the unknown cards and everything random that follows.

        Examples
        --------
        >>> view = Game(seats=3, seed=7).view()
        >>> Game.from_view(view, seed=1).view() == view
        True
        """
        if not isinstance(view, View):
            raise TypeError(f"from_view: view: expected a View, got {view!r}")
        seed = checked_integer("from_view: seed", seed, 0, 2**64 - 1)
        game = super().__new__(cls)
        _core.Game.__init__(game, view.rules._setup, *_view.view_bytes(view), seed)
        game.rules = view.rules
        return game

    @classmethod
    def from_bytes(cls, data: bytes) -> Game:
        """The game that `to_bytes` gave.

        Raises
        ------
        ValueError
            The bytes are damaged, or of another version.
        """
        from skyjo_core.archive import unpack

        rules, saved = unpack(data)
        game = super().__new__(cls)
        _core.Game.__init__(game, rules._setup, saved)
        game.rules = rules
        return game

    def to_bytes(self) -> bytes:
        """The game with its history as bytes, the same on every platform.

        What is random in its future is in it: the same game goes on from them.
        """
        from skyjo_core.archive import pack

        return pack(self.rules, self._saved())

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self).from_bytes, (self.to_bytes(),))

    def position(self) -> dict[str, Any]:
        """The true state as `from_position` takes it: the referee's view, never a bot's.

        Grids are texts, cards ints, seats absolute ints, the phase its name; `reshuffled` is there
        after a reshuffle.
        """
        from skyjo_core.position import write_position

        return write_position(self._state(), self.rules)

    def view(self, seat: int | None = None) -> View:
        """What a seat may know; by default the seat to move.

        Raises
        ------
        IndexError
            There is no such seat.
        ValueError
            The game is over and no seat is named.
        """
        if seat is None:
            seat = self.seat
            if seat < 0:
                raise ValueError(
                    "view: expected a seat, for no seat is to move once the game is over"
                )
        return _view.restore(*self._view_bytes(seat), self.rules)

    def copy(self, *, log: bool = True) -> Game:
        """An independent game in the same state, with the same future.

        Parameters
        ----------
        log : bool
            Whether it has the history as well. Without it a copy is quicker: for searches. Then
            `record()` and `rounds` raise, and views have no `moves`.
        """
        game = super().__new__(type(self))
        _core.Game.__init__(game, self, log)
        game.rules = self.rules
        return game

    def playouts(self, n: int, seed: int = 0) -> Playouts:
        """Plays the round to its end n times, the unknown cards dealt anew each time.

        Unknown is what the seat to move cannot know (as for `determinize`); every seat goes on with
        the policy of native:random. The game itself stays as it is.

        Parameters
        ----------
        n : int
            How many, 0 to 10**8.
        seed : int
            0..2**64 - 1: decides cards and moves.

        Raises
        ------
        ValueError
            The game is over.

        Examples
        --------
        >>> playouts = Game(seats=3, seed=7).playouts(100, seed=1)
        >>> playouts.points.shape, int(playouts.closer.min()) >= 0
        ((100, 3), True)
        """
        import numpy as np

        n = checked_integer("playouts: n", n, 0, 10**8)
        seed = checked_integer("playouts: seed", seed, 0, 2**64 - 1)
        if self.seat < 0:
            raise ValueError("playouts: expected a game that is not over, got one that is")
        raw = np.empty((n, self.n_seats), np.int16)
        points = np.empty((n, self.n_seats), np.int16)
        closer = np.empty(n, np.int8)
        for first in range(0, n, _PLAYOUTS_AT_ONCE):
            part = min(_PLAYOUTS_AT_ONCE, n - first)
            _core.playouts(
                self, first=first, n=part, seed=seed, raw=raw, points=points, closer=closer
            )
        return Playouts(raw, points, closer)

    def __copy__(self) -> Game:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.copy()

    def determinize(self, seed: int, seat: int | None = None) -> Game:
        """A copy in which every card that a seat cannot know is dealt anew.

        The seat's view stays as it is, and so do the finished rounds; hidden cards, the draw pile,
        another seat's drawn card, and every later reshuffle and deal are new. After a reshuffle
        hidden cells and draw pile are two pools (docs/rules.md, E.5). Has no record.

        Parameters
        ----------
        seed : int
            0..2**64 - 1: decides all of it.
        seat : int, optional
            By default the seat to move.

        Raises
        ------
        IndexError
            There is no such seat.
        ValueError
            The game is over.
        """
        if self.seat < 0:
            raise ValueError("determinize: expected a game that is not over")
        seed = checked_integer("determinize: seed", seed, 0, 2**64 - 1)
        if seat is None:
            seat = self.seat
        if isinstance(seat, bool) or not hasattr(seat, "__index__"):
            raise TypeError(f"determinize: seat: expected an integer or None, got {seat!r}")
        seat = operator.index(seat)
        if not 0 <= seat < self.n_seats:
            raise IndexError(f"determinize: seat: expected 0 to {self.n_seats - 1}, got {seat}")
        game = self.copy(log=self._has_log)
        game._determinize(seed, seat)
        return game

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The finished rounds.

        Raises
        ------
        ValueError
            The game is a copy without its history.
        """
        if not self._has_log:
            raise ValueError("rounds: expected a game with its history, got copy(log=False)")
        shape = (self.n_seats, self.rules.rows, self.rules.columns)
        return tuple(Round(*fields, shape) for fields in self._finished_rounds())

    def record(self) -> dict[str, Any]:
        """The record of the game so far, as docs/format.md has it; players are "0", "1", ...

        Raises
        ------
        ValueError
            The game was made from a position or a view, is determinized, or is a copy without its
            history: then there is no deck to tell.
        """
        return make_record(self, [str(seat) for seat in range(self.n_seats)])

    def __str__(self) -> str:
        from skyjo_core.drawing import draw_game

        return draw_game(self.view(max(self.seat, 0)))

    def __repr__(self) -> str:
        return (
            f"<Game of {self.n_seats}, round {self.round_number}, totals {self.totals}, "
            f"{self.phase.name}>"
        )


def make_record(
    game: Game,
    players: Sequence[str],
    *,
    deal: int = 0,
    places: Sequence[int] | None = None,
    faults: Sequence[dict[str, Any]] = (),
    aborted: bool = False,
) -> dict[str, Any]:
    """A game's record; `places` where forfeits change them, `aborted` after a stop at a fault."""
    _require_record(game)
    rounds = game._round_dicts()
    if aborted:
        rounds[-1] |= {"closer": None, "raw": None, "points": None}
    if places is None and not aborted:
        places = game.places
    return {
        "format": "skyjo-record/1",
        "rules": game.rules.to_dict(),
        "seed": str(game._seed),
        "deck_kind": "lanes" if game._lanes else "stack",
        "deal": deal,
        "players": list(players),
        "rounds": rounds,
        "totals": list(game.totals),
        "places": None if places is None else list(places),
        "faults": list(faults),
        "end": "abort" if aborted else game._end,
    }


def compact(plain: Any) -> str:
    """JSON as records have it: no spaces between items, with which gzip takes 1.7 times as long."""
    return json.dumps(plain, separators=(",", ":"))


def _require_record(game: Game) -> None:
    if not game._has_record:
        raise ValueError(
            "record: expected a game with its deal and history, got one made from a position or a "
            "view, determinized, or copied without its log"
        )


def checked_rules(where: str, rules: Rules | None) -> Rules:
    if rules is None:
        return _DEFAULT_RULES
    if not isinstance(rules, Rules):
        raise TypeError(f"{where}: rules: expected Rules, got {rules!r}")
    return rules


def checked_integer(name: str, value: Any, low: int, high: int) -> int:
    if type(value) is int and low <= value <= high:
        return value
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name}: expected an integer from {low} to {high}, got {value!r}")
    number = operator.index(value)
    if not low <= number <= high:
        raise ValueError(f"{name}: expected {low} to {high}, got {number}")
    return number
