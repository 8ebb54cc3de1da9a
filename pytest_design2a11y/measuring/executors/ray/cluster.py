"""A running Ray cluster, joined; or one of this machine's own, for as long as it is needed."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from pytest_design2a11y.exceptions import ConfigurationError

#: What starts without an address: a cluster on this machine, and not whichever was started here last.
_LOCAL = "local"

#: The cluster that this machine is part of.
_HERE = "auto"

#: Seconds that a cluster has to answer; Ray itself would try for minutes.
_ANSWER_SECONDS = 10.0

#: Bytes of the object store of a cluster that is started here: twice what is held of designs.
_STORE_BYTES = 1 << 30


def require_ray() -> Any:
    """Import Ray."""
    # Must be set before it is imported.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        return import_module("ray")
    except ImportError:
        raise ConfigurationError(
            "The executor ray needs the package ray, which is not installed.",
            advice='Run `pip install "pytest-design2a11y[ray]"`, or choose the executor processes.',
        ) from None


def resolved(address: str | None) -> str:
    """Return the address of the cluster to join, or what has one started here."""
    address = address or os.environ.get("RAY_ADDRESS") or _LOCAL
    if "://" in address:
        raise ConfigurationError(
            "--ray-address takes HOST:PORT, and not an address for remote clients.",
            advice="Start the command on a machine of the cluster.",
        )
    return address


@contextmanager
def joined(ray: Any, address: str, *, num_workers: int) -> Iterator[None]:
    """Be part of a cluster: the program's own where it has joined one, else that of the address."""
    if ray.is_initialized():
        yield
        return
    if address not in (_LOCAL, _HERE):
        host, _, port = address.rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(port)), _ANSWER_SECONDS).close()
        except (OSError, ValueError, OverflowError) as error:
            raise _not_there(error) from None
    own = {"num_cpus": num_workers, "include_dashboard": False, "object_store_memory": _STORE_BYTES}
    try:
        # What Ray logs names addresses and folders.
        ray.init(
            address=address,
            log_to_driver=False,
            logging_level=logging.CRITICAL,
            **(own if address == _LOCAL else {}),
        )
    except Exception as error:
        raise _not_there(error) from None
    try:
        with _muted(ray):
            yield
    finally:
        ray.shutdown()


@contextmanager
def _muted(ray: Any) -> Iterator[None]:
    """Keep what nodes report, addresses and folders included, off standard output.

    Ray prints it there in its own thread, whatever its log settings, and has no option for it.
    """
    module = ray._private.worker
    printing = module.print_to_stdstream
    module.print_to_stdstream = lambda *_, **__: None
    try:
        yield
    finally:
        module.print_to_stdstream = printing


def _not_there(error: Exception) -> ConfigurationError:
    return ConfigurationError(
        f"No Ray cluster could be joined or started ({type(error).__name__}).",
        advice="Try `ray status` on a machine of the cluster; give its HOST:PORT as --ray-address.",
    )
