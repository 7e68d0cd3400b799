# SPDX-License-Identifier: MIT
"""Replays a record of API.md 6 on the reference and lists every difference."""

from __future__ import annotations

from typing import Any

from .game import ReferenceGame, places_with_forfeits
from .round import OVER, ReferenceRound
from .rules import complete, deck_cards, max_seats, rule_faults
from .schema import record_faults

Record = dict[str, Any]


def check_record(record: Record) -> list[str]:
    """Return all differences between a record and the rules, none if it is right."""
    faults = record_faults(record)
    if not faults:
        faults = rule_faults(record["rules"])
    if not faults:
        faults = _seat_faults(record)
    if not faults:
        faults = _Replay(record).run()
    return faults


def _seat_faults(record: Record) -> list[str]:
    seats = len(record["players"])
    most = max_seats(complete(record["rules"]))
    if not 2 <= seats <= most:
        return [f"players: expected 2 to {most} seats, got {seats}"]
    faults = _length_faults("", record, ("totals", "places"), seats)
    for number, entry in enumerate(record["rounds"]):
        faults += _length_faults(f"round {number}: ", entry, ("raw", "points"), seats)
    for number, fault in enumerate(record["faults"]):
        if fault["seat"] >= seats:
            faults.append(f"fault {number}: seat: expected less than {seats}, got {fault['seat']}")
    return faults


def _length_faults(where: str, entry: Record, names: tuple[str, ...], seats: int) -> list[str]:
    faults = []
    for name in names:
        if entry[name] is not None and len(entry[name]) != seats:
            faults.append(f"{where}{name}: expected {seats} values, got {len(entry[name])}")
    return faults


class _Replay:
    """One pass over a record; the differences gather in a list."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.game = ReferenceGame(record["rules"], len(record["players"]))
        # API.md 6: an aborted game stops inside its last round, and so does a running one.
        self.unfinished = record["end"] in (None, "abort")
        self.differences: list[str] = []
        # Whose decision each move was, round by round; in an unfinished round also the next one.
        self.movers: list[list[int]] = []

    def run(self) -> list[str]:
        last = len(self.record["rounds"]) - 1
        for number, entry in enumerate(self.record["rounds"]):
            if self.game.over:
                self._differ(f"round {number}", "no round after the end of the game", "one more")
                return self.differences
            partial = self.unfinished and number == last
            if not self._replay_round(number, entry, partial):
                return self.differences
        self._check_end()
        self._check_faults()
        return self.differences

    def _differ(self, where: str, expected: object, got: object) -> None:
        self.differences.append(f"{where}: expected {expected}, got {got}")

    def _compare(self, where: str, expected: object, got: object) -> None:
        if expected != got:
            self._differ(where, expected, got)

    def _replay_round(self, number: int, entry: Record, partial: bool) -> bool:
        """Play one round; return whether the replay can go on."""
        where = f"round {number}"
        if sorted(entry["deck"]) != deck_cards(self.game.rules):
            self._differ(f"{where}, deck", "the cards of the rules", "another mix")
            return False
        player = _RoundPlayer(self.game, entry)
        problem = player.play()
        self.movers.append(player.movers)
        if problem is not None:
            self.differences.append(f"{where}, {problem}")
            return False
        unused = len(entry["reshuffles"]) - player.played.reshuffles
        if unused > 0:
            self._differ(f"{where}, reshuffles", player.played.reshuffles, len(entry["reshuffles"]))
        self._check_starter(where, entry, player.played)
        if partial:
            return self._check_partial_round(where, entry, player.played)
        return self._check_whole_round(where, entry, player.played)

    def _check_starter(self, where: str, entry: Record, played: ReferenceRound) -> None:
        if played.allowed_starters is None:
            # The opening was not finished, so nobody has started yet.
            if entry["starter"] is not None:
                self._differ(f"{where}, starter", "null before the opening ends", entry["starter"])
        elif entry["starter"] not in played.allowed_starters:
            wanted = f"one of {played.allowed_starters}"
            self._differ(f"{where}, starter", wanted, entry["starter"])

    def _check_whole_round(self, where: str, entry: Record, played: ReferenceRound) -> bool:
        if played.phase != OVER:
            self._differ(f"{where}, move {len(entry['moves'])}", "a move", "the end of the list")
            return False
        self._compare(f"{where}, closer", played.closer, entry["closer"])
        self._compare(f"{where}, stalled", played.stalled, entry["stalled"])
        self._compare(f"{where}, capped", played.capped, entry["capped"])
        self._compare(f"{where}, raw", played.raw, entry["raw"])
        self._compare(f"{where}, points", played.points, entry["points"])
        self.game.finish_round()
        return True

    def _check_abort_after_the_game(self, where: str, entry: Record) -> bool:
        """A hook at the very end stopped the game: its points count, the record shows none."""
        self.game.finish_round()
        if self.record["end"] != "abort" or not self.game.over:
            self._differ(f"{where}", "an unfinished last round", "a finished one")
            return False
        for key in ("closer", "raw", "points"):
            self._compare(f"{where}, {key}", None, entry[key])
        return True

    def _check_partial_round(self, where: str, entry: Record, played: ReferenceRound) -> bool:
        if played.phase == OVER:
            return self._check_abort_after_the_game(where, entry)
        # API.md 6: these are null after an abort; of a running game it says nothing about the
        # closer, so there the closer may stand, too.
        allowed_closers: list[int | None] = [None]
        if self.record["end"] is None and played.closer is not None:
            allowed_closers.append(played.closer)
        if entry["closer"] not in allowed_closers:
            self._differ(f"{where}, closer", f"one of {allowed_closers}", entry["closer"])
        self._compare(f"{where}, stalled", played.stalled, entry["stalled"])
        self._compare(f"{where}, capped", False, entry["capped"])
        self._compare(f"{where}, raw", None, entry["raw"])
        self._compare(f"{where}, points", None, entry["points"])
        return True

    def _check_end(self) -> None:
        self._compare("totals", self.game.totals, self.record["totals"])
        if self.unfinished:
            self._compare("places", None, self.record["places"])
            return
        if not self.game.over:
            self._differ("rounds", "at least one more round", len(self.record["rounds"]))
            return
        assert self.game.places is not None
        self._compare("end", self.game.end, self.record["end"])
        forfeiters = [fault["seat"] for fault in self.record["faults"]]
        places = places_with_forfeits(self.game.places, forfeiters)
        self._compare("places", places, self.record["places"])

    def _check_faults(self) -> None:
        seats = [fault["seat"] for fault in self.record["faults"]]
        # API.md 8: from its fault on a built-in bot plays the seat.
        if len(set(seats)) != len(seats):
            self._differ("faults", "each seat once", seats)
        for number, fault in enumerate(self.record["faults"]):
            if fault["round"] >= len(self.record["rounds"]):
                self._differ(f"fault {number}, round", "a round of the record", fault["round"])
                continue
            moves = len(self.record["rounds"][fault["round"]]["moves"])
            # A hook's fault names the next decision, which may not have been made any more.
            if fault["move"] > moves:
                self._differ(f"fault {number}, move", f"at most {moves}", fault["move"])
                continue
            # Only a decision can be an illegal move; a hook's fault may be anybody's.
            movers = self.movers[fault["round"]]
            if fault["kind"] == "illegal_move":
                mover = movers[fault["move"]] if fault["move"] < len(movers) else None
                self._compare(f"fault {number}, seat", mover, fault["seat"])


class _RoundPlayer:
    """Plays the moves of one round of a record on the reference."""

    def __init__(self, game: ReferenceGame, entry: Record) -> None:
        self.game = game
        self.entry = entry
        self.movers: list[int] = []
        self.played: ReferenceRound

    def play(self) -> str | None:
        """Return the first thing that makes it impossible to go on, or None."""
        self.played = self.game.next_round(self.entry["deck"], self._starter)
        for index, move in enumerate(self.entry["moves"]):
            where = f"move {index}"
            if self.played.phase == OVER:
                return f"{where}: expected the round to be over, got {move}"
            self.movers.append(self.played.seat)
            try:
                self.played.apply(move, self._new_pile, self._starter)
            except ValueError as fault:
                # An illegal move, or a new pile of other cards than those that were laid away.
                return f"{where}: {fault}"
            if not self.played.conserved():
                return f"{where}: expected every card of the deck to be in play"
        if self.played.phase != OVER:
            self.movers.append(self.played.seat)
        return None

    def _new_pile(self, cards: list[int]) -> list[int]:
        number = self.played.reshuffles
        if number >= len(self.entry["reshuffles"]):
            raise ValueError(f"reshuffle: expected an order of {cards}, got none")
        return list(self.entry["reshuffles"][number])

    def _starter(self, allowed: list[int]) -> int:
        # A starter outside the allowed set is reported afterwards; the replay goes on with one
        # that is allowed.
        if self.entry["starter"] in allowed:
            return int(self.entry["starter"])
        return allowed[0]
