# SPDX-License-Identifier: MIT
"""The view that a bot gets, and the adapter through which the match loop calls Python bots.

A view is made once per seat and filled in place: during a call it points at the loop's struct.
After the call its reference count tells whether the bot has kept it; then it gets a copy of its own
and stays as it was, and the seat gets a new view. Only what a seat may know is ever in the struct.
"""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.long cimport PyLong_AsLongAndOverflow
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.object cimport PyObject
from cpython.pycapsule cimport PyCapsule_New
from cpython.ref cimport Py_DECREF, Py_INCREF, Py_XDECREF
from cpython.tuple cimport PyTuple_GET_ITEM, PyTuple_New, PyTuple_SET_ITEM
from libc.stdint cimport int8_t, uint8_t
from libc.string cimport memcpy, memset

from operator import index

import numpy as np

from skyjo_core._core import HIDDEN, REMOVED, Phase
from skyjo_core.rules import Rules

from skyjo_core.bot_abi cimport (
    SKYJO_BOT_ABI,
    SKYJO_COUNTS,
    SKYJO_FAULT_EXCEPTION,
    SKYJO_FAULT_ILLEGAL,
    SKYJO_GAME_START,
    SKYJO_MAX_SEATS,
    SKYJO_NO_CARD,
    SKYJO_ROUND_END,
    SKYJO_SEAT_CAPSULE,
    SKYJO_STOP,
    SKYJO_VERSION,
    skyjo_bind_view,
    skyjo_bot,
    skyjo_grid,
    skyjo_keep_view,
    skyjo_kept_view,
    skyjo_played,
    skyjo_seat,
    skyjo_view,
)

cdef extern from "Python.h":
    # By pointer: an object argument would count the call's own reference.
    Py_ssize_t reference_count "Py_REFCNT"(PyObject*)
    # By pointer, too: of a call that does not raise no exception is looked at.
    PyObject* call "PyObject_Vectorcall"(PyObject*, PyObject**, size_t, PyObject*)
    size_t FREE_BELOW "PY_VECTORCALL_ARGUMENTS_OFFSET"
    bint is_int "PyLong_CheckExact"(PyObject*)
    long int_value "PyLong_AsLongAndOverflow"(PyObject*, int* overflow)
    void forget "Py_DECREF"(PyObject*)

cdef extern from * nogil:
    """
    #if defined(__GNUC__)
    static inline int skyjo_lowest_bit(unsigned long long mask) { return __builtin_ctzll(mask); }
    #else
    static inline int skyjo_lowest_bit(unsigned long long mask) {
        int bit = 0;
        for (; !(mask & 1u); mask >>= 1) ++bit;
        return bit;
    }
    #endif
    static inline PyObject* skyjo_result(PyObject* result) { return result; }
    """
    int skyjo_lowest_bit(unsigned long long mask)
    # What a call gave; raises what it raised.
    object skyjo_result(PyObject* result)

cdef tuple PHASES = tuple(Phase)
cdef object FROM_BUFFER = np.frombuffer
cdef object INT8 = np.dtype(np.int8)
cdef enum:
    NO_MOVE = 255
cdef int HIDDEN_CELL = HIDDEN
cdef int REMOVED_CELL = REMOVED


cdef shown(value):
    """A value as text of at most 100 characters, whatever its repr does."""
    try:
        text = repr(value)
    except Exception:
        return f"a {type(value).__name__} that cannot be printed"
    return text if len(text) <= 100 else text[:100] + "..."


cdef inline object seat_or_none(int seat):
    return None if seat < 0 else seat


cdef inline int value_of(int code) noexcept:
    return 125 if code == 18 else code - 4


cdef inline object value_or_none(int code):
    return None if code == SKYJO_NO_CARD else value_of(code)


cdef inline void put(tuple items, Py_ssize_t place, object item) noexcept:
    """Fills a place of a new tuple, which takes a reference."""
    Py_INCREF(item)
    PyTuple_SET_ITEM(items, place, item)


cdef inline int cell_value(const skyjo_grid* grid, int cell) noexcept:
    cdef int code
    if (grid.removed >> cell) & 1:
        return REMOVED_CELL
    if not (grid.up >> cell) & 1:
        return HIDDEN_CELL
    return value_of((grid.codes >> (5 * cell)) & 31)


# The same few sets of moves are legal again and again: their tuples, each where its mask says. They
# hold nothing but small integers, so that views can share them.
cdef enum:
    KNOWN_BITS = 12
    N_KNOWN = 1 << KNOWN_BITS
cdef unsigned long long known_masks[N_KNOWN]
cdef PyObject* known_moves[N_KNOWN]


cdef inline tuple moves_of(unsigned long long mask):
    # Fibonacci hashing (D. E. Knuth, The Art of Computer Programming 3, 1998, section 6.4).
    cdef size_t place = (mask * 0x9E3779B97F4A7C15ULL) >> (64 - KNOWN_BITS)
    if known_masks[place] != mask or known_moves[place] == NULL:
        learn_moves(place, mask)
    return <tuple>known_moves[place]


cdef int learn_moves(size_t place, unsigned long long mask) except -1:
    cdef unsigned long long rest = mask
    cdef Py_ssize_t n = 0
    while rest:
        n += 1
        rest &= rest - 1
    cdef tuple moves = PyTuple_New(n)
    rest = mask
    for i in range(n):
        put(moves, i, skyjo_lowest_bit(rest))
        rest &= rest - 1
    Py_XDECREF(known_moves[place])
    Py_INCREF(moves)
    known_moves[place] = <PyObject*>moves
    known_masks[place] = mask
    return 0


@cython.final
@cython.no_gc
@cython.freelist(8)
@cython.auto_pickle(False)
cdef class View:
    """All that a bot may know of a game at one moment, seen from its seat.

    Seats are relative: 0 is the bot itself, 1 the next to play after it. A view that is kept stays
    as it was. Views compare by content and can be pickled.
    """

    cdef const skyjo_view* now
    cdef skyjo_kept_view own
    cdef skyjo_played* own_moves
    cdef int rows, columns
    cdef tuple card_values
    cdef object total_at_end
    cdef readonly object rules
    """The Rules of the game."""

    def __cinit__(self):
        cdef skyjo_view* view = &self.own.view
        memset(&self.own, 0, sizeof(skyjo_kept_view))
        skyjo_bind_view(&self.own)
        view.phase = 3
        view.to_move = view.starter = view.closer = view.n_last_turns = -1
        view.hand = view.discard_top = SKYJO_NO_CARD
        view.time_limit = view.time_left = -1.0
        self.own_moves = NULL
        self.now = view

    def __init__(self):
        raise TypeError("View: expected to come from a game, use game.view()")

    def __dealloc__(self):
        PyMem_Free(self.own_moves)

    cdef int set_rules(self, rules) except -1:
        # Rows, columns and values are trusted below: only Rules have been checked.
        if not isinstance(rules, Rules):
            raise TypeError(f"View: expected Rules, got {rules!r}")
        self.rules = rules
        self.rows = rules.rows
        self.columns = rules.columns
        self.card_values = rules.values
        self.total_at_end = rules.threshold
        return 0

    cdef View fresh(self):
        """A new view by the same rules."""
        cdef View view = View.__new__(View)
        view.rules = self.rules
        view.rows = self.rows
        view.columns = self.columns
        view.card_values = self.card_values
        view.total_at_end = self.total_at_end
        return view

    cdef int keep(self) except -1:
        """Takes a copy of what it shows, moves included."""
        cdef size_t n_bytes = <size_t>self.now.n_moves * sizeof(skyjo_played)
        cdef skyjo_played* moves = <skyjo_played*>PyMem_Malloc(n_bytes if n_bytes else 1)
        if moves == NULL:
            raise MemoryError()
        if n_bytes:
            memcpy(moves, self.now.moves, n_bytes)
        skyjo_keep_view(&self.own, self.now)
        self.own.view.moves = moves
        self.own.view.rules = NULL
        self.own_moves = moves
        self.now = &self.own.view
        return 0

    # The decision

    @property
    def phase(self):
        """Phase of the decision that is due."""
        return <object>PyTuple_GET_ITEM(PHASES, self.now.phase)

    @property
    def n_seats(self):
        """Seats at the table."""
        return self.now.n_seats

    @property
    def seat(self):
        """The own absolute seat."""
        return self.now.seat

    @property
    def to_move(self):
        """Relative seat whose decision it is; None when the round is over."""
        return seat_or_none(self.now.to_move)

    @property
    def legal_mask(self):
        """The legal moves as a bit mask; 0 for a seat that is not to move."""
        return self.now.legal

    @property
    def legal_moves(self):
        """The legal moves, ascending; () for a seat that is not to move."""
        return moves_of(self.now.legal)

    @property
    def hand(self):
        """Value of the drawn card, for its holder in phase HOLD; else None."""
        return value_or_none(self.now.hand)

    @property
    def discard_top(self):
        """Value on top of the discard pile."""
        return value_or_none(self.now.discard_top)

    # The grids

    def cells(self, seat):
        """Values by cell index of a relative seat's grid: value, HIDDEN or REMOVED."""
        if type(seat) is not int:
            seat = index(seat)
        if seat < 0 or seat >= self.now.n_seats:
            raise IndexError(f"cells: expected a seat from 0 to {self.now.n_seats - 1}, got {seat}")
        cdef const skyjo_grid* grid = &self.now.grids[<int>seat]
        cdef int n_cells = self.rows * self.columns
        cdef tuple cells = PyTuple_New(n_cells)
        cdef int cell
        for cell in range(n_cells):
            put(cells, cell, cell_value(grid, cell))
        return cells

    cdef object cell_array(self, int n_seats):
        """Read-only int8 array (n_seats * rows * columns,), row by row."""
        cdef bytes data = PyBytes_FromStringAndSize(NULL, n_seats * self.rows * self.columns)
        cdef char* out = PyBytes_AS_STRING(data)
        cdef int seat, row, column
        for seat in range(n_seats):
            for row in range(self.rows):
                for column in range(self.columns):
                    out[0] = <char>cell_value(&self.now.grids[seat], self.rows * column + row)
                    out += 1
        return FROM_BUFFER(data, INT8)

    @property
    def grid(self):
        """The own grid, int8 array (rows, columns): value, HIDDEN or REMOVED."""
        return self.cell_array(1).reshape(self.rows, self.columns)

    @property
    def grids(self):
        """All grids by relative seat, int8 array (n_seats, rows, columns)."""
        return self.cell_array(self.now.n_seats).reshape(-1, self.rows, self.columns)

    # The game

    @property
    def totals(self):
        """Points of the finished rounds by relative seat."""
        cdef tuple totals = PyTuple_New(self.now.n_seats)
        cdef int seat
        for seat in range(self.now.n_seats):
            put(totals, seat, self.now.totals[seat])
        return totals

    @property
    def threshold(self):
        """Total at which the game ends, or None."""
        return self.total_at_end

    @property
    def round_number(self):
        """Rounds before this one."""
        return self.now.round_number

    @property
    def turn_number(self):
        """Finished turns of this round, of all seats together."""
        return self.now.turn_number

    @property
    def starter(self):
        """Relative seat that started the round; None during the opening flips."""
        return seat_or_none(self.now.starter)

    @property
    def closer(self):
        """Relative seat that closed the round, or None."""
        return seat_or_none(self.now.closer)

    @property
    def last_turns_left(self):
        """After the closing the relative seats that still play, in order; None before."""
        if self.now.n_last_turns < 0:
            return None
        return tuple([self.now.last_turns[i] for i in range(self.now.n_last_turns)])

    @property
    def stalled(self):
        """Whether the stall rule holds."""
        return self.now.stalled != 0

    @property
    def stall_count(self):
        """Turns in a row that used up no hidden card."""
        return self.now.stall_count

    @property
    def reshuffles(self):
        """Reshuffles in this round."""
        return self.now.reshuffles

    # The cards

    @property
    def values(self):
        """The card value at each index of the counts, ascending."""
        return self.card_values

    @property
    def draw_pile_size(self):
        """Cards in the draw pile."""
        return self.now.draw_pile_size

    cdef object count_array(self, const uint8_t* counts):
        """Read-only int8 array (n_values,)."""
        cdef tuple values = self.card_values
        cdef bytes data = PyBytes_FromStringAndSize(NULL, len(values))
        cdef char* out = PyBytes_AS_STRING(data)
        cdef int value
        for value in values:
            out[0] = <char>counts[18 if value == 125 else value + 4]
            out += 1
        return FROM_BUFFER(data, INT8)

    @property
    def discard_counts(self):
        """Cards in the discard pile per value, int8 array (n_values,)."""
        return self.count_array(self.now.discard_counts)

    @property
    def pile_counts(self):
        """Cards per value of which the draw pile is a random part, int8 array (n_values,)."""
        return self.count_array(self.now.pile_counts)

    @property
    def hidden_counts(self):
        """Cards per value of which the face-down cells are a random part, int8 (n_values,)."""
        return self.count_array(self.now.hidden_counts)

    @property
    def moves(self):
        """The round so far: tuple of (relative seat, move, card or None)."""
        cdef int n = self.now.n_seats
        cdef int own = self.now.seat
        cdef const skyjo_played* played
        cdef tuple moves = PyTuple_New(self.now.n_moves)
        cdef int i
        for i in range(self.now.n_moves):
            played = &self.now.moves[i]
            put(moves, i, ((played.seat - own + n) % n, played.move, value_or_none(played.card)))
        return moves

    @property
    def time_limit(self):
        """Seconds for this decision; None without a limit."""
        return None if self.now.time_limit < 0 else self.now.time_limit

    @property
    def time_left(self):
        """Seconds left of the bank of this game; None without one."""
        return None if self.now.time_left < 0 else self.now.time_left

    # As a value

    cdef tuple state(self):
        cdef skyjo_kept_view plain
        skyjo_keep_view(&plain, self.now)
        plain.view.grids = NULL
        plain.view.totals = NULL
        plain.view.discard_counts = plain.view.pile_counts = plain.view.hidden_counts = NULL
        plain.view.moves = NULL
        plain.view.rules = NULL
        return (
            PyBytes_FromStringAndSize(<char*>&plain, sizeof(skyjo_kept_view)),
            PyBytes_FromStringAndSize(
                <char*>self.now.moves, <Py_ssize_t>(self.now.n_moves * sizeof(skyjo_played))
            ),
        )

    def __eq__(self, other):
        if not isinstance(other, View):
            return NotImplemented
        return self.rules == other.rules and self.state() == (<View>other).state()

    def __hash__(self):
        return hash(self.state())

    def __reduce__(self):
        return (restore, (*self.state(), self.rules))

    def __repr__(self):
        return (
            f"<View of seat {self.now.seat} of {self.now.n_seats}, round {self.now.round_number}, "
            f"turn {self.now.turn_number}, {PHASES[self.now.phase].name}>"
        )

    def __str__(self):
        from skyjo_core.drawing import draw_view

        return draw_view(self)


def restore(bytes view not None, bytes moves not None, rules):
    """The view with these bytes (from Game._view_bytes or a pickle) under these rules."""
    cdef View result = View.__new__(View)
    cdef skyjo_kept_view kept
    cdef skyjo_view* given = &kept.view
    if PyBytes_GET_SIZE(view) != sizeof(skyjo_kept_view):
        raise ValueError("View: expected the bytes of a view of this version")
    memcpy(&kept, PyBytes_AS_STRING(view), sizeof(skyjo_kept_view))
    skyjo_bind_view(&kept)
    if (
        given.size != sizeof(skyjo_view)
        or given.n_moves < 0
        or PyBytes_GET_SIZE(moves) != <Py_ssize_t>(given.n_moves * sizeof(skyjo_played))
        or not 0 <= given.phase <= 3
        or not 2 <= given.n_seats <= SKYJO_MAX_SEATS
        or not -1 <= given.n_last_turns <= SKYJO_MAX_SEATS
    ):
        raise ValueError("View: expected the bytes of a view of this version")
    given.moves = <const skyjo_played*>PyBytes_AS_STRING(moves)
    result.set_rules(rules)
    result.now = given
    result.keep()
    return result


def view_bytes(View view not None):
    """The bytes of a view and those of its moves, as restore takes them."""
    return view.state()


# A view by the rules of the last game: those of the next are mostly the same.
cdef View model = None


cdef View first_view(rules):
    """A new view by these rules."""
    global model
    if model is None or model.rules is not rules:
        view = <View>View.__new__(View)
        view.set_rules(rules)
        model = view
    return model.fresh()


@cython.final
@cython.freelist(8)
@cython.auto_pickle(False)
cdef class PythonSeat:
    """A Python bot at its seat for one game, as the match loop calls it.

    Parameters
    ----------
    choose : callable or None
        The choose_move of a bot for which nothing has to be made, and which has no hooks.
    make : callable or None
        Where there is no `choose`: called without arguments when the game starts; gives the bot's
        (choose_move, game_start, round_end, game_end), the last three None where the bot has no
        such hook.
    rules : Rules
        Of the game.
    rng : Rng or None
        Second argument of choose_move where it takes one.
    stop_on_interrupt : bool
        Whether a KeyboardInterrupt stops the match (the user pressed Ctrl-C) instead of being the
        bot's fault.
    """

    cdef skyjo_seat seat
    cdef View view
    cdef object make, rng, choose, hooks
    # For the call of choose: a place that it may write to, the view, rng.
    cdef PyObject* arguments[3]
    cdef size_t n_arguments
    cdef bint stop_on_interrupt
    cdef readonly object error
    """The exception that was the bot's fault or stopped the match, or None."""
    cdef readonly object answer
    """Text of an answer that is no integer, or None."""

    def __cinit__(self, choose, make, rules, rng, bint stop_on_interrupt):
        self.choose = choose
        self.make = make
        self.rng = rng
        self.stop_on_interrupt = stop_on_interrupt
        self.arguments[2] = <PyObject*>self.rng
        self.n_arguments = FREE_BELOW | (1 if rng is None else 2)
        self.sit_with(first_view(rules))
        self.seat.bot = &PYTHON_BOT if choose is None else &PYTHON_FUNCTION
        self.seat.self = <void*>self

    cdef void sit_with(self, View view) noexcept:
        self.view = view
        self.arguments[1] = <PyObject*>view

    def capsule(self):
        """The seat for the match loop; valid as long as this object lives."""
        return PyCapsule_New(&self.seat, SKYJO_SEAT_CAPSULE, NULL)

    cdef int fault(self, object error):
        self.error = error
        if self.stop_on_interrupt and isinstance(error, KeyboardInterrupt):
            return SKYJO_STOP
        return SKYJO_FAULT_EXCEPTION

    cdef int done(self) except -1:
        """Takes the view back from the bot, or leaves it to a bot that has kept it."""
        if reference_count(<PyObject*>self.view) > 1:
            self.view.keep()
            self.sit_with(self.view.fresh())
        else:
            self.view.now = &self.view.own.view
        return 0

    cdef int decide(self, const skyjo_view* now) noexcept:
        cdef PyObject* move
        cdef long number
        cdef int overflow = 0
        self.view.now = now
        move = call(<PyObject*>self.choose, &self.arguments[1], self.n_arguments, NULL)
        # What nearly every call comes to, without a look at anything that may raise.
        if move != NULL and is_int(move) and reference_count(<PyObject*>self.view) == 1:
            self.view.now = &self.view.own.view
            number = int_value(move, &overflow)
            if overflow == 0 and 0 <= number < NO_MOVE:
                forget(move)
                return <int>number
        return self.weigh(move)

    cdef int weigh(self, PyObject* result):
        """The answer in what a call of choose gave or raised."""
        cdef int answer
        try:
            try:
                move = skyjo_result(result)
            finally:
                self.done()
            answer = self.read(move)
        except BaseException as error:
            return self.fault(error)
        return answer

    cdef int read(self, move) except? SKYJO_FAULT_ILLEGAL:
        """The number of an answer; NO_MOVE for an integer that no move has."""
        cdef int overflow = 0
        cdef long number
        answer = move
        if type(move) is not int:
            if isinstance(move, bool) or not hasattr(type(move), "__index__"):
                return self.refuse(move)
            try:
                answer = index(move)
            except TypeError:
                return self.refuse(move)
        number = PyLong_AsLongAndOverflow(answer, &overflow)
        if overflow == 0 and 0 <= number < NO_MOVE:
            return <int>number
        self.answer = f"answered {shown(move)}, expected one of the legal moves"
        return NO_MOVE

    cdef int refuse(self, move):
        self.answer = f"answered {shown(move)} ({type(move).__name__}), expected an int"
        return SKYJO_FAULT_ILLEGAL

    cdef int listen(self, int kind, const skyjo_view* now, const int8_t* places):
        cdef int i
        if kind != SKYJO_GAME_START and self.hooks[kind] is None:
            return 0
        self.view.now = now
        try:
            try:
                if kind == SKYJO_GAME_START:
                    self.choose, *self.hooks = self.make()
                    if self.hooks[0] is not None:
                        self.hooks[0](self.view)
                elif kind == SKYJO_ROUND_END:
                    self.hooks[1](self.view)
                else:
                    self.hooks[2](tuple([places[i] for i in range(now.n_seats)]))
            finally:
                self.done()
        except BaseException as error:
            return self.fault(error)
        return 0


cdef int choose_move(void* self, const skyjo_view* view) noexcept:
    return (<PythonSeat>self).decide(view)


cdef int event(void* self, int kind, const skyjo_view* view, const int8_t* places) noexcept:
    return (<PythonSeat>self).listen(kind, view, places)


cdef skyjo_bot PYTHON_BOT
PYTHON_BOT.size = sizeof(skyjo_bot)
PYTHON_BOT.abi = SKYJO_BOT_ABI
PYTHON_BOT.built_with = SKYJO_VERSION
PYTHON_BOT.name = "python"
PYTHON_BOT.create = NULL
PYTHON_BOT.choose_move = choose_move
PYTHON_BOT.event = event
PYTHON_BOT.destroy = NULL

# A function hears of no events.
cdef skyjo_bot PYTHON_FUNCTION = PYTHON_BOT
PYTHON_FUNCTION.event = NULL
