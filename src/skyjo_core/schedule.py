# SPDX-License-Identifier: MIT
"""The schedule of a tournament: which bots meet, on which deal, in which seats, in which order.

A schedule is a pure function of its fields. Any part of it can be had without the rest, so
chunks of work are cut anywhere, and a field of any size costs no memory.

Order: deal after deal; on each deal all line-ups; of each line-up all seatings of its block, in
an order shuffled by the seed (STATISTICS.md, sections 4, 5 and "Scheduling").
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from itertools import permutations
from operator import itemgetter
from typing import NamedTuple

__all__ = ["CYCLES", "Schedule", "Table", "lineup_key"]

_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15
_MAX_KNOWN = 1 << 14
_DUPLICATES = ("rotate", "full", "off")
_FORMATS = ("round-robin", "gauntlet")


def _digits(text: str) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(digit) for digit in word) for word in text.split())


def _steps(n: int) -> tuple[tuple[int, ...], ...]:
    """Return the cycles x -> x + k modulo n, Hamiltonian for every k because n is prime."""
    return tuple(tuple(i * k % n for i in range(n)) for k in range(1, n))


CYCLES: dict[int, tuple[tuple[int, ...], ...]] = {
    2: _digits("01"),
    3: _digits("012 021"),
    4: tuple((0, *rest) for rest in permutations((1, 2, 3))),
    5: _steps(5),
    6: _digits("015324 014325 042135 023154 021453 042513 052341 034512 035241 054312"),
    7: _steps(7),
    8: _digits("01234567 02135476 03146275 04157263 05361742 06524371 07325164"),
    9: _digits("017263548 037465812 057682314 078342516 084536271 021856473 041328675 061524387"),
    10: _digits(
        "0872593146 0435189267 0156839742 0217586349 0369471285 0654823791 0784529613 0532764198 "
        "0957381624"
    ),
}
"""Cyclic orders of n line-up members in which every ordered pair of neighbours occurs equally
often: STATISTICS.md, section 4. Their number is K."""


# A tuple, which is made and sent in a quarter of the time of a frozen dataclass.
class Table(NamedTuple):
    """One game to be played.

    Parameters
    ----------
    game : int
        index in schedule order.
    deal : int
        number of the deal, from 0.
    lineup : int
        index of the line-up. It does not change when bots are appended to a round-robin.
    lineup_key : int
        64-bit key made of the names in the line-up; it never depends on the rest of the field.
    seating : int
        cycle * n_seats + rotation.
    seats : tuple of int
        bot by absolute seat.
    """

    game: int
    deal: int
    lineup: int
    lineup_key: int
    seating: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Schedule:
    """All games of a tournament, in order, without holding them.

    Parameters
    ----------
    n_bots : int
        entrants, without the fill bot.
    n_seats : int
        seats at a table, 2..10.
    deals : int
        number of deals, >= 0; every line-up plays every deal.
    duplicate : str
        seatings of a block. "rotate": all rotations of cycle (deal mod K); "full": all rotations
        of all K cycles; "off": cycle (deal mod K), rotation (deal // K mod n_seats).
    format : str
        "round-robin": all sets of n_seats bots; "gauntlet": those that contain bot 0.
    seed : int
        0..2**64 - 1; decides the order inside blocks and nothing else.
    names : tuple of str
        of the entrants, then that of the fill bot if there is one; all different.
    fill : int or None
        index of the fill bot, equal to n_bots. It takes the seats left over when there are fewer
        entrants than seats, else it does not play.

    Raises
    ------
    ValueError
        if a field is out of range, or there are fewer bots than seats and no fill bot.
    """

    n_bots: int
    n_seats: int
    deals: int
    duplicate: str
    format: str
    seed: int
    names: tuple[str, ...]
    fill: int | None = None

    def __post_init__(self) -> None:
        faults = _faults(self)
        if faults:
            raise ValueError("schedule: " + "; ".join(faults))

    def __len__(self) -> int:
        """Return the number of games; beyond the range of len(), `n_games` still has it."""
        return self.n_games

    def __iter__(self) -> Iterator[Table]:
        """Iterate over all games in schedule order."""
        return self.tables(0, self.n_games)

    @property
    def n_games(self) -> int:
        """Number of games: deals, times line-ups, times games of a block."""
        return self.deals * self.n_lineups * self.block_size

    @property
    def n_lineups(self) -> int:
        """Number of line-ups."""
        if self.n_bots < self.n_seats:
            return 1
        if self.format == "gauntlet":
            return math.comb(self.n_bots - 1, self.n_seats - 1)
        return math.comb(self.n_bots, self.n_seats)

    @property
    def block_size(self) -> int:
        """Number of games that a line-up plays on a deal."""
        if self.duplicate == "off":
            return 1
        return self.n_seats * (len(CYCLES[self.n_seats]) if self.duplicate == "full" else 1)

    @property
    def seats_balanced(self) -> bool:
        """Whether every member of a line-up has every seat equally often."""
        period = len(CYCLES[self.n_seats]) * self.n_seats if self.duplicate == "off" else 1
        return self.deals % period == 0

    @property
    def neighbours_balanced(self) -> bool:
        """Whether every member of a line-up sits directly before every other equally often.

        With "rotate" and "off" that needs a number of deals that is a multiple of K.
        """
        return self.duplicate == "full" or self.deals % len(CYCLES[self.n_seats]) == 0

    def lineup(self, index: int) -> tuple[int, ...]:
        """Return the bots of a line-up, sorted by name.

        Parameters
        ----------
        index : int
            0..n_lineups - 1, in colexicographic order of the sets of bots, so that the first
            line-ups are those of the first bots.

        Raises
        ------
        IndexError
            if the index is out of range.
        """
        if not 0 <= index < self.n_lineups:
            raise IndexError(f"schedule: line-up must lie in 0..{self.n_lineups - 1}, got {index}")
        if self.n_bots < self.n_seats:
            left_over = self.n_seats - self.n_bots
            members = [*range(self.n_bots), *[self.n_bots] * left_over]
        elif self.format == "gauntlet":
            members = [0, *(bot + 1 for bot in _combination(index, self.n_seats - 1))]
        else:
            members = _combination(index, self.n_seats)
        return tuple(sorted(members, key=self.names.__getitem__))

    def tables(self, start: int, stop: int) -> Iterator[Table]:
        """Iterate over the games start..stop - 1 of the schedule.

        Parameters
        ----------
        start, stop : int
            0 <= start <= stop <= n_games. Cost O(stop - start), wherever the slice lies.

        Raises
        ------
        IndexError
            if the slice is out of range.
        """
        if not 0 <= start <= stop <= self.n_games:
            raise IndexError(f"schedule: slice must lie in 0..{self.n_games}, got {start}..{stop}")
        return self._tables(start, stop)

    def _tables(self, start: int, stop: int) -> Iterator[Table]:
        size, n_lineups, orders = self.block_size, self.n_lineups, _orders(self.n_seats)
        known: dict[int, tuple[tuple[int, ...], int]] = {}
        for block in range(start // size, -(-stop // size)):
            deal, index = divmod(block, n_lineups)
            if index not in known:
                if len(known) == _MAX_KNOWN:
                    known.clear()
                lineup = self.lineup(index)
                known[index] = lineup, lineup_key(tuple(self.names[bot] for bot in lineup))
            members, key = known[index]
            seatings = self._seatings(deal)
            _shuffle(seatings, (self.seed, deal, key))
            first = block * size
            for game in range(max(start, first), min(stop, first + size)):
                seating = seatings[game - first]
                yield Table(game, deal, index, key, seating, orders[seating](members))

    def _seatings(self, deal: int) -> list[int]:
        """Return the seatings of a block on a deal, ascending."""
        n_cycles = len(CYCLES[self.n_seats])
        if self.duplicate == "full":
            return list(range(n_cycles * self.n_seats))
        first = deal % n_cycles * self.n_seats
        if self.duplicate == "rotate":
            return list(range(first, first + self.n_seats))
        return [first + deal // n_cycles % self.n_seats]


@cache
def _orders(n_seats: int) -> tuple[Callable[[tuple[int, ...]], tuple[int, ...]], ...]:
    """Return for each seating the function from line-up members to bots by seat."""
    return tuple(
        itemgetter(*cycle[rotation:], *cycle[:rotation])
        for cycle in CYCLES[n_seats]
        for rotation in range(n_seats)
    )


def lineup_key(names: tuple[str, ...]) -> int:
    """Return the 64-bit key of a line-up.

    Parameters
    ----------
    names : tuple of str
        the names at the table, sorted; a fill bot as often as it sits there.

    Returns
    -------
    int
        the first 8 bytes, little endian, of the 64-byte BLAKE2b digest of the names in UTF-8,
        joined by a line feed.

    Notes
    -----
    Source of the hash: RFC 7693, M.-J. Saarinen and J.-P. Aumasson, 2015.
    """
    text = "\n".join(names).encode("utf-8", "surrogateescape")
    return int.from_bytes(blake2b(text).digest()[:8], "little")


def _faults(schedule: Schedule) -> list[str]:
    """List what is wrong with the fields, all of it."""
    n_bots, n_seats, names, fill = (
        schedule.n_bots,
        schedule.n_seats,
        schedule.names,
        schedule.fill,
    )
    faults = []
    for name, allowed in (("duplicate", _DUPLICATES), ("format", _FORMATS)):
        if getattr(schedule, name) not in allowed:
            words = ", ".join(allowed)
            faults.append(f"{name} must be one of {words}, got {getattr(schedule, name)!r}")
    if n_seats not in CYCLES:
        faults.append(f"n_seats must lie in {min(CYCLES)}..{max(CYCLES)}, got {n_seats}")
    if n_bots < 1:
        faults.append(f"n_bots must be at least 1, got {n_bots}")
    elif n_bots < n_seats and fill is None:
        faults.append(f"{n_seats} seats need at least {n_seats} bots or a fill bot, got {n_bots}")
    if fill is not None and fill != n_bots:
        faults.append(f"fill must be the index after the last entrant, {n_bots}, got {fill}")
    n_names = n_bots + (fill is not None)
    if len(names) != n_names:
        faults.append(f"names must be {n_names}, got {len(names)}")
    if len(set(names)) != len(names) or any("\n" in name for name in names):
        faults.append(f"names must differ and hold no line feed, got {names!r}")
    if schedule.deals < 0:
        faults.append(f"deals must be at least 0, got {schedule.deals}")
    if not 0 <= schedule.seed <= _MASK:
        faults.append(f"seed must lie in 0..2**64 - 1, got {schedule.seed}")
    return faults


def _combination(rank: int, size: int) -> list[int]:
    """Return the set with a rank in colexicographic order, descending.

    The combinatorial number system: D. E. Knuth, The Art of Computer Programming 4A, 2011,
    section 7.2.1.3, theorem L.
    """
    members: list[int] = []
    above = size
    while math.comb(above, size) <= rank:
        above *= 2
    for k in range(size, 0, -1):
        above = _largest(rank, k, above)
        rank -= math.comb(above, k)
        members.append(above)
    return members


def _largest(rank: int, k: int, above: int) -> int:
    """Return the largest c < above with comb(c, k) <= rank."""
    return bisect_right(range(above), rank, key=lambda c: math.comb(c, k)) - 1


def _mix(state: int) -> int:
    """Return the output of splitmix64 for a state.

    G. L. Steele, D. Lea and C. H. Flood, Fast splittable pseudorandom number generators, OOPSLA
    2014, with the constants of D. Stafford's mix 13.
    """
    z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK
    return z ^ (z >> 31)


def _shuffle(items: list[int], key: tuple[int, ...]) -> None:
    """Shuffle in place by a key of integers below 2**64.

    Fisher-Yates (R. Durstenfeld, Communications of the ACM 7, 1964, algorithm 235) over
    splitmix64. A draw below n is the high word of a product; its bias is below n/2**64.
    """
    state = 0
    for part in key:
        state = _mix((state + _GAMMA & _MASK) ^ part)
    for last in range(len(items) - 1, 0, -1):
        state = state + _GAMMA & _MASK
        pick = _mix(state) * (last + 1) >> 64
        items[last], items[pick] = items[pick], items[last]
