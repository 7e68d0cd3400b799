# SPDX-License-Identifier: MIT
"""Schedule: balance of seats and neighbours, order, random access, stability under extension."""

from __future__ import annotations

import hashlib
import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterable

import pytest

from skyjo_core.schedule import CYCLES, Schedule, Table, _mix, lineup_key

# Number of cycles and how often each ordered pair occurs in them: STATISTICS.md, section 4.
SET_SIZES = {
    2: (1, 1),
    3: (2, 1),
    4: (6, 2),
    5: (4, 1),
    6: (10, 2),
    7: (6, 1),
    8: (7, 1),
    9: (8, 1),
    10: (9, 1),
}


def schedule_of(
    n_bots: int,
    n_seats: int,
    deals: int,
    duplicate: str = "rotate",
    format: str = "round-robin",
    seed: int = 7,
    *,
    filled: bool = False,
) -> Schedule:
    names = tuple(f"bot{i:03}" for i in range(n_bots)) + (("fill",) if filled else ())
    fill = n_bots if filled else None
    return Schedule(n_bots, n_seats, deals, duplicate, format, seed, names, fill)


def seat_counts(tables: Iterable[Table]) -> Counter[tuple[int, int]]:
    return Counter((bot, seat) for table in tables for seat, bot in enumerate(table.seats))


def neighbour_counts(tables: Iterable[Table]) -> Counter[tuple[int, int]]:
    return Counter(
        (bot, table.seats[(seat + 1) % len(table.seats)])
        for table in tables
        for seat, bot in enumerate(table.seats)
    )


# Cycles


@pytest.mark.parametrize("n", range(2, 11))
def test_cycles_use_every_ordered_pair_equally_often(n: int) -> None:
    n_cycles, times = SET_SIZES[n]
    pairs = Counter((cycle[i], cycle[(i + 1) % n]) for cycle in CYCLES[n] for i in range(n))
    assert len(CYCLES[n]) == len(set(CYCLES[n])) == n_cycles
    assert all(sorted(cycle) == list(range(n)) for cycle in CYCLES[n])
    assert pairs == dict.fromkeys(itertools.permutations(range(n), 2), times)


def test_cycles_of_five_are_steps() -> None:
    assert CYCLES[5] == ((0, 1, 2, 3, 4), (0, 2, 4, 1, 3), (0, 3, 1, 4, 2), (0, 4, 3, 2, 1))


def test_cycles_exist_for_two_to_ten_seats() -> None:
    assert sorted(CYCLES) == list(range(2, 11))


# Blocks


@pytest.mark.parametrize("n", range(2, 11))
def test_full_block_balances_seats_and_neighbours(n: int) -> None:
    n_cycles, times = SET_SIZES[n]
    tables = list(schedule_of(n, n, 1, "full"))
    assert len(tables) == n_cycles * n
    assert len({table.seats for table in tables}) == len(tables)
    assert seat_counts(tables) == dict.fromkeys(itertools.product(range(n), repeat=2), n_cycles)
    assert neighbour_counts(tables) == dict.fromkeys(itertools.permutations(range(n), 2), times * n)


@pytest.mark.parametrize("n", range(2, 11))
def test_rotate_balances_seats_on_a_deal_and_neighbours_over_all_cycles(n: int) -> None:
    n_cycles, times = SET_SIZES[n]
    tables = list(schedule_of(n, n, n_cycles))
    for deal in range(n_cycles):
        block = [table for table in tables if table.deal == deal]
        assert seat_counts(block) == dict.fromkeys(itertools.product(range(n), repeat=2), 1)
        assert {table.seating for table in block} == set(range(deal * n, deal * n + n))
    assert neighbour_counts(tables) == dict.fromkeys(itertools.permutations(range(n), 2), times * n)
    assert len({table.seats for table in tables}) == len(tables)


@pytest.mark.parametrize("n", range(2, 11))
def test_off_plays_each_seating_once_before_it_repeats(n: int) -> None:
    n_cycles, _ = SET_SIZES[n]
    tables = list(schedule_of(n, n, n_cycles * n, "off"))
    full = {(table.seating, table.seats) for table in schedule_of(n, n, 1, "full")}
    assert {(table.seating, table.seats) for table in tables} == full
    assert [table.seating for table in tables] == [
        deal % n_cycles * n + deal // n_cycles for deal in range(n_cycles * n)
    ]


def test_seating_gives_cycle_and_rotation_of_the_seats() -> None:
    for table in schedule_of(6, 4, 3, "full"):
        cycle, rotation = divmod(table.seating, 4)
        members = sorted(table.seats)
        expected = tuple(members[CYCLES[4][cycle][(seat + rotation) % 4]] for seat in range(4))
        assert table.seats == expected


def test_members_stand_in_the_order_of_their_names() -> None:
    names = ("zoe", "amy", "Bob")
    schedule = Schedule(3, 3, 1, "full", "round-robin", 0, names)
    assert schedule.lineup(0) == (2, 1, 0)
    first = next(table for table in schedule if table.seating == 0)
    assert [names[bot] for bot in first.seats] == ["Bob", "amy", "zoe"]


@pytest.mark.parametrize(
    ("duplicate", "deals", "seats", "neighbours"),
    [
        ("full", 1, True, True),
        ("rotate", 6, True, True),
        ("rotate", 100, True, False),
        ("off", 24, True, True),
        ("off", 6, False, True),
        ("off", 100, False, False),
    ],
)
def test_balance_depends_on_the_number_of_deals(
    duplicate: str, deals: int, seats: bool, neighbours: bool
) -> None:
    schedule = schedule_of(4, 4, deals, duplicate)
    assert (schedule.seats_balanced, schedule.neighbours_balanced) == (seats, neighbours)
    assert (len(set(seat_counts(schedule).values())) == 1) is seats
    pairs = neighbour_counts(schedule)
    assert (len(pairs) == 12 and len(set(pairs.values())) == 1) is neighbours


# Line-ups


def test_round_robin_plays_every_set_of_bots() -> None:
    schedule = schedule_of(7, 3, 1)
    lineups = [schedule.lineup(i) for i in range(schedule.n_lineups)]
    assert schedule.n_lineups == math.comb(7, 3)
    assert set(lineups) == set(itertools.combinations(range(7), 3))


def test_gauntlet_plays_every_set_with_the_first_bot() -> None:
    schedule = schedule_of(7, 3, 1, format="gauntlet")
    lineups = {schedule.lineup(i) for i in range(schedule.n_lineups)}
    assert len(lineups) == schedule.n_lineups == math.comb(6, 2)
    assert lineups == {(0, *pair) for pair in itertools.combinations(range(1, 7), 2)}


def test_first_lineups_are_those_of_the_first_bots() -> None:
    schedule = schedule_of(9, 4, 1)
    assert {schedule.lineup(i) for i in range(math.comb(5, 4))} == set(
        itertools.combinations(range(5), 4)
    )


def test_hundred_bots_are_unranked_without_lists() -> None:
    schedule = schedule_of(100, 4, 100)
    assert schedule.n_lineups == 3_921_225
    assert len(schedule) == 1_568_490_000
    assert schedule.lineup(0) == (0, 1, 2, 3)
    assert schedule.lineup(3_921_224) == (96, 97, 98, 99)
    tables = list(schedule.tables(len(schedule) - 3, len(schedule)))
    assert [table.game for table in tables] == [1_568_489_997, 1_568_489_998, 1_568_489_999]
    assert {table.deal for table in tables} == {99}


def test_a_lineup_out_of_range_raises() -> None:
    with pytest.raises(IndexError, match=r"schedule: line-up must lie in 0\.\.34, got 35$"):
        schedule_of(7, 3, 1).lineup(35)


def test_fill_takes_the_seats_left_over() -> None:
    schedule = schedule_of(2, 4, 6, filled=True)
    assert schedule.n_lineups == 1
    assert len(schedule) == 24
    assert all(sorted(table.seats) == [0, 1, 2, 2] for table in schedule)
    counts = seat_counts(schedule)
    assert all(counts[bot, seat] == (6, 6, 12)[bot] for bot in range(3) for seat in range(4))


def test_fill_does_not_play_when_there_are_bots_enough() -> None:
    schedule = schedule_of(4, 3, 2, filled=True)
    assert schedule.n_lineups == 4
    assert {bot for table in schedule for bot in table.seats} == {0, 1, 2, 3}


def test_fewer_bots_than_seats_need_a_fill_bot() -> None:
    with pytest.raises(ValueError, match=r"4 seats need at least 4 bots or a fill bot, got 2$"):
        schedule_of(2, 4, 1)


def test_lineup_key_is_a_hash_of_the_names() -> None:
    digest = hashlib.blake2b(b"amy\nbob").digest()
    expected = sum(byte << 8 * i for i, byte in enumerate(digest[:8]))
    assert lineup_key(("amy", "bob")) == expected
    schedule = Schedule(2, 2, 1, "rotate", "round-robin", 0, ("bob", "amy"))
    assert {table.lineup_key for table in schedule} == {expected}


# Order


@pytest.mark.parametrize("format", ["round-robin", "gauntlet"])
@pytest.mark.parametrize(("duplicate", "block"), [("rotate", 3), ("full", 6), ("off", 1)])
def test_length_is_deals_times_lineups_times_block(format: str, duplicate: str, block: int) -> None:
    schedule = schedule_of(6, 3, 5, duplicate, format)
    n_lineups = {"round-robin": 20, "gauntlet": 10}[format]
    assert len(schedule) == schedule.n_games == 5 * n_lineups * block
    assert len(list(schedule)) == len(schedule)


def test_order_is_deal_after_deal_and_line_up_after_line_up() -> None:
    tables = list(schedule_of(5, 3, 4))
    assert [table.game for table in tables] == list(range(len(tables)))
    places = [(table.deal, table.lineup) for table in tables]
    assert places == [(deal, lineup) for deal in range(4) for lineup in range(10) for _ in range(3)]


def test_no_game_is_repeated() -> None:
    tables = list(schedule_of(6, 4, 3, "full"))
    assert len({(table.deal, table.seats) for table in tables}) == len(tables)
    assert len({(table.deal, table.lineup_key, table.seating) for table in tables}) == len(tables)


@pytest.mark.parametrize("duplicate", ["rotate", "full", "off"])
def test_any_slice_equals_the_iteration(duplicate: str) -> None:
    schedule = schedule_of(5, 3, 3, duplicate)
    tables = list(schedule)
    for start in range(0, len(tables), 7):
        for stop in (start, start + 1, start + 5, len(tables)):
            assert list(schedule.tables(start, min(stop, len(tables)))) == tables[start:stop]


@pytest.mark.parametrize(("start", "stop"), [(-1, 2), (3, 2), (0, 37)])
def test_a_slice_out_of_range_raises(start: int, stop: int) -> None:
    with pytest.raises(IndexError, match=rf"must lie in 0\.\.36, got {start}\.\.{stop}$"):
        schedule_of(4, 3, 3).tables(start, stop)


def test_blocks_are_shuffled_by_seed_deal_and_line_up() -> None:
    orders = defaultdict(list)
    for seed in (1, 2):
        for table in schedule_of(5, 4, 12, seed=seed):
            orders[seed, table.deal, table.lineup].append(table.seating % 4)
    assert all(sorted(order) == [0, 1, 2, 3] for order in orders.values())
    counts = Counter(tuple(order) for order in orders.values())
    assert len(counts) == 24  # 120 blocks, 24 orders
    assert max(counts.values()) <= 14
    for fixed in range(3):
        assert any(
            orders[a] != orders[b]
            for a, b in itertools.combinations(orders, 2)
            if all(a[i] == b[i] for i in range(3) if i != fixed)
        )


def test_every_order_of_a_block_is_equally_likely() -> None:
    schedule = schedule_of(3, 3, 3000)
    orders: dict[int, list[int]] = defaultdict(list)
    for table in schedule:
        orders[table.deal].append(table.seating % 3)
    counts = Counter(tuple(order) for order in orders.values())
    chi_square = sum((counts[order] - 500) ** 2 / 500 for order in itertools.permutations(range(3)))
    assert chi_square < 20.5  # the 0.1 % point at 5 degrees of freedom


def test_hash_is_splitmix64() -> None:
    # First two outputs for the state 0, as published with xoshiro (S. Vigna, splitmix64.c).
    gamma = 0x9E3779B97F4A7C15
    assert _mix(gamma) == 0xE220A8397B1DCDAF
    assert _mix(2 * gamma % 2**64) == 0x6E789E6AA1B965F4


def test_same_fields_give_the_same_schedule_on_every_platform() -> None:
    tables = list(schedule_of(4, 4, 3, seed=2**64 - 1))
    # Change detector: from our own code.
    assert [table.seating for table in tables] == [0, 2, 1, 3, 7, 5, 6, 4, 10, 8, 11, 9]


# Extension


def content(schedule: Schedule) -> dict[tuple[int, int], list[tuple[int, tuple[str, ...]]]]:
    """Return the ordered seatings, by names, of each block."""
    blocks = defaultdict(list)
    for table in schedule:
        seats = tuple(schedule.names[bot] for bot in table.seats)
        blocks[table.deal, table.lineup_key].append((table.seating, seats))
    return dict(blocks)


@pytest.mark.parametrize("duplicate", ["rotate", "full", "off"])
def test_more_deals_leave_the_games_before_them_alone(duplicate: str) -> None:
    short, long = schedule_of(5, 3, 3, duplicate), schedule_of(5, 3, 8, duplicate)
    assert list(long.tables(0, len(short))) == list(short)


@pytest.mark.parametrize("format", ["round-robin", "gauntlet"])
def test_more_bots_leave_the_blocks_of_the_others_alone(format: str) -> None:
    names = ("dan", "bob", "eve", "amy")
    few = Schedule(4, 3, 5, "full", format, 3, names)
    many = Schedule(6, 3, 5, "full", format, 3, (*names, "cat", "ann"))
    assert content(few).items() <= content(many).items()
    indices = {(table.deal, table.lineup_key): table.lineup for table in many}
    assert all(indices[table.deal, table.lineup_key] == table.lineup for table in few)


def test_all_faults_are_named_together() -> None:
    with pytest.raises(
        ValueError, match=r"^schedule: duplicate must be one of .* got 'twice'; "
    ) as e:
        Schedule(3, 11, -1, "twice", "swiss", 2**64, ("a", "a"), 1)
    message = str(e.value)
    for part in ("format must", "n_seats must", "fill must", "names must be 4", "deals", "seed"):
        assert part in message
