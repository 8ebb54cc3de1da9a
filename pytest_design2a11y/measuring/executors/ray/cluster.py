"""Join a running Ray cluster, or start one on this machine for as long as it is needed."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from pytest_design2a11y.exceptions import ConfigurationError

#: Address if none is given: a new cluster on this machine, not whichever was started here last.
_LOCAL = "local"

#: The cluster that this machine belongs to.
_HERE = "auto"

#: Seconds in which a cluster must answer; Ray itself would try for minutes.
_ANSWER_SECONDS = 10.0

#: Bytes of the object store of a cluster started here: twice the limit for designs.
_STORE_BYTES = 1 << 30


def require_ray() -> Any:
    """Import Ray."""
    # Must be set before Ray is imported.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        return import_module("ray")
    except ImportError:
        raise ConfigurationError(
            "The executor ray needs the package ray, which is not installed.",
            advice='Run `pip install "pytest-design2a11y[ray]"`, or choose the executor processes.',
        ) from None


def resolved(address: str | None) -> str:
    """Return the address of the cluster to join, or the one that starts a new cluster here."""
    address = address or os.environ.get("RAY_ADDRESS") or _LOCAL
    if "://" in address:
        raise ConfigurationError(
            "-o design2a11y_ray_address takes HOST:PORT, and not an address for remote clients.",
            advice="Start the command on a machine of the cluster.",
        )
    return address


@contextmanager
def joined(ray: Any, address: str, *, num_workers: int) -> Iterator[None]:
    """Join a cluster for the `with` block: the program's own if it has joined one, else the address's."""
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
        # Ray's log contains addresses and folders.
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
    """Keep messages of nodes, which include addresses and folders, off standard output.

    Ray prints them in its own thread, whatever its log settings, and has no option for it.
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
        advice="Try `ray status` on a machine of the cluster; give its HOST:PORT:"
        " -o design2a11y_ray_address.",
    )
