"""Ctrl-C: interrupts the work once, without disturbing the clean-up that follows."""

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

#: Seconds after which Python has left the code that drops exceptions.
_SOON = 0.05


@contextmanager
def interruptible_once(*, is_last: bool = False) -> Iterator[None]:
    """Inside the `with` block, let the first SIGINT raise KeyboardInterrupt and ignore all further ones.

    Otherwise a second Ctrl-C would interrupt the closing of browsers. Outside the main thread, where no
    signal arrives, and where SIGINT is ignored, nothing changes. After the last block of a process, SIGINT
    stays ignored: it would print a traceback during Python's exit.
    """
    is_main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGINT)
    if not is_main or before in (signal.SIG_IGN, None):
        yield
        return
    signal.signal(signal.SIGINT, _interrupt)
    shown, sys.unraisablehook = sys.unraisablehook, _interrupt_again
    try:
        yield
    finally:
        sys.unraisablehook = shown
        signal.signal(signal.SIGINT, signal.SIG_IGN if is_last else before)


def _interrupt(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def _interrupt_again(dropped: "sys.UnraisableHookArgs") -> None:
    """Interrupt again if Python drops the exception, as in callbacks of weak references (imports)."""
    if dropped.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(dropped)
        return
    signal.signal(signal.SIGINT, _interrupt)
    again = threading.Timer(_SOON, _interrupt_main_thread)
    again.daemon = True
    again.start()


def _interrupt_main_thread() -> None:
    """Send SIGINT to the main thread, ending what it waits for; on Windows it is only seen after the wait."""
    main = threading.main_thread().ident
    if sys.platform == "win32" or main is None:
        _thread.interrupt_main()
    else:
        signal.pthread_kill(main, signal.SIGINT)


@contextmanager
def held_interrupts() -> Iterator[None]:
    """Defer SIGINT inside the `with` block, and in the processes started there."""
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker

    # It would start with the first process and unblock interrupts again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def release_interrupts() -> None:
    """Unblock SIGINT in a process that was started while it was deferred."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
