# SPDX-License-Identifier: MIT
"""Ctrl-C comes where it may come, and is not lost elsewhere."""

from __future__ import annotations

import signal
import threading

import pytest

from skyjo_core.interrupt import Interrupt, quit_on_interrupt, raise_on_interrupt


def press() -> None:
    signal.raise_signal(signal.SIGINT)


def press_where_allowed(interrupt: Interrupt) -> None:
    with interrupt.allowed():
        press()


def enter(interrupt: Interrupt) -> None:
    with interrupt.allowed():
        raise AssertionError("Ctrl-C was pressed before")


def test_ctrl_c_raises_where_it_is_allowed() -> None:
    with Interrupt() as interrupt, pytest.raises(KeyboardInterrupt):
        press_where_allowed(interrupt)


def test_ctrl_c_waits_for_a_moment_in_which_it_is_allowed() -> None:
    done = []
    with Interrupt() as interrupt:
        with interrupt.allowed():
            done.append(interrupt.come)
        press()
        done.append(interrupt.come)
        with pytest.raises(KeyboardInterrupt):
            enter(interrupt)
    assert done == [False, True]


def test_ctrl_c_again_does_not_disturb_the_end() -> None:
    with Interrupt() as interrupt:
        with pytest.raises(KeyboardInterrupt):
            press_where_allowed(interrupt)
        press()
        press()
        assert interrupt.come


def test_afterwards_all_is_as_it_was() -> None:
    with Interrupt():
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with pytest.raises(KeyboardInterrupt):
        press()


def test_a_handler_of_the_programs_own_is_left_alone() -> None:
    pressed = []
    signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    try:
        with Interrupt() as interrupt:
            press()
            with interrupt.allowed():
                press()
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    assert pressed == [signal.SIGINT] * 2


def test_a_thread_changes_nothing() -> None:
    handlers = []

    def enters() -> None:
        with Interrupt():
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=enters)
    thread.start()
    thread.join()
    assert handlers == [signal.default_int_handler]


def test_a_program_that_starts_quits_and_then_raises_again() -> None:
    quit_on_interrupt()
    quits = signal.getsignal(signal.SIGINT)
    raise_on_interrupt()
    assert quits is not signal.default_int_handler
    with pytest.raises(KeyboardInterrupt):
        press()


def test_ctrl_c_that_is_ignored_stays_so() -> None:
    """As a shell without job control does for what it starts with &."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        quit_on_interrupt()
        press()
        raise_on_interrupt()
        press()
    finally:
        signal.signal(signal.SIGINT, before)
