"""The folder of a run and its manifest: what was asked for, with what, where, and how far it got.

``manifest.json`` holds all that is needed to play the run again. ``run_id`` names what was asked
for: two runs with the same one give the same tables.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from experiments.errors import RunError
from experiments.recording import RECORDS
from experiments.storage import FolderStore
from rummy500_env.layouts import layout_differences

if TYPE_CHECKING:
    pass

__all__ = ["MANIFEST", "RunFolder", "default_folder", "environment", "read_manifest", "run_id"]

MANIFEST: Final = "manifest.json"
PACKAGES: Final = ("rummy500", "numpy", "numba", "pandas", "pyarrow")


def run_id(settings: Mapping[str, Any]) -> str:
    """Sixteen hexadecimal digits that name what was asked for."""
    text = json.dumps(settings, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def default_folder(command: str) -> Path:
    """A new name under ``runs/``, made of the command and the local time."""
    now = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    path = Path("runs", f"{command}-{now}")
    number = 2
    while path.exists():
        path = path.with_name(f"{command}-{now}-{number}")
        number += 1
    return path


class RunFolder:
    """The folder of a run, from its start to its end.

    Args:
        path: the folder; it is made if it is missing. One that holds anything but the same run is
            refused; the same run is gone on with.
        manifest: what was asked for, with ``run_id``.
    """

    def __init__(self, path: Path, manifest: dict[str, Any]) -> None:
        self.path = path
        self.manifest = manifest
        self._start = time.perf_counter()
        try:
            self._before = _same_run(path, manifest)
            path.mkdir(parents=True, exist_ok=True)
            if self._before is None:
                _write(path, manifest)
        except OSError as error:
            raise _cannot_write(path, error) from None

    @property
    def is_complete(self) -> bool:
        """Whether the run has been played to its end before."""
        return self._before is not None and bool(self._before.get("complete"))

    def open_tables(
        self, num_players: int, names: Iterable[str], records: bool = False
    ) -> FolderStore:
        """The tables of the run, to be written; with the rows that an earlier part of it wrote."""
        try:
            self._store = FolderStore(self.path, num_players, names, records)
        except OSError as error:
            raise _cannot_write(self.path, error) from None
        told, there = int((self._before or {}).get("deals_played", 0)), self._store.num_deals
        if there < told:
            self._store.close(keep_journal=True)
            raise RunError(
                f"the journal in {str(self.path)!r} holds {there:,} deals of the {told:,} that "
                "were played: it was damaged or removed, so the run cannot go on there"
            )
        return self._store

    def note(self, told: Mapping[str, Any]) -> None:
        """Say more in the manifest, of a run that keeps its results in files of its own."""
        before = 0.0 if self._before is None else self._before.get("wall_seconds", 0.0)
        seconds = round(before + time.perf_counter() - self._start, 3)
        self.manifest |= {"wall_seconds": seconds} | dict(told)
        try:
            _write(self.path, self.manifest)
        except OSError as error:
            raise _cannot_write(self.path, error) from None

    def finish(self, deals: int) -> None:
        """Write the tables and say in the manifest how far the run got.

        A run that got nowhere leaves nothing. When the disk is full, what the journal holds is
        kept.
        """
        before = {} if self._before is None else self._before
        try:
            rows = self._store.finish()
            played = self._store.num_deals
            seconds = before.get("wall_seconds", 0.0) + time.perf_counter() - self._start
            self.manifest |= {
                "complete": played == deals,
                "deals_played": played,
                "wall_seconds": round(seconds, 3),
                "rows": rows,
            }
            if played:
                _write(self.path, self.manifest)
        except OSError as error:
            self._store.close(keep_journal=True)
            raise _cannot_write(self.path, error, self._store.num_deals) from None
        except BaseException:
            self._store.close(keep_journal=True)
            raise
        self._store.close(keep_journal=0 < played < deals)
        if not played:
            for path in (self.path / MANIFEST, self.path / RECORDS, *self.path.glob("*.parquet")):
                path.unlink(missing_ok=True)
            if not any(self.path.iterdir()):
                self.path.rmdir()


def _cannot_write(path: Path, error: OSError, kept: int = 0) -> RunError:
    told = f"cannot write to {str(path)!r}: {error.strerror or error}"
    if kept:
        told += f"; {kept:,} deals are kept there, and the same command goes on with them"
    return RunError(told)


def _same_run(path: Path, manifest: Mapping[str, Any]) -> dict[str, Any] | None:
    """The manifest of an earlier run of the same in a folder; anything else there is refused."""
    if not path.exists() or not any(path.iterdir()):
        return None
    advice = "name another folder with --out, or remove this one"
    if not (path / MANIFEST).is_file():
        raise RunError(f"{str(path)!r} is not empty and holds no run: {advice}")
    found = read_manifest(path)
    if found.get("run_id") != manifest["run_id"]:
        there, here = (_flat(entry.get("settings")) for entry in (found, manifest))
        changed = layout_differences(there, here) if there else []
        told = "; ".join([*changed, advice])
        raise RunError(f"{str(path)!r} holds another run ({_described(found)}): {told}")
    return found


def _flat(settings: Any) -> dict[str, Any]:
    """Settings with each option of the rules by itself, as `rules.target_score`."""
    flat = {}
    for name, value in settings.items() if isinstance(settings, Mapping) else ():
        if isinstance(value, Mapping):
            flat |= {f"{name}.{key}": inner for key, inner in value.items()}
        else:
            flat[name] = value
    return flat


def _described(manifest: Mapping[str, Any]) -> str:
    settings = manifest.get("settings")
    if not isinstance(settings, dict):
        return "of an unknown kind"
    parts = [str(manifest.get("kind", "run"))]
    agents = settings.get("agents")
    if isinstance(agents, list):
        parts.append("of " + ",".join(map(str, agents)))
    parts += [f"{name}={settings[name]}" for name in ("deals", "seed") if name in settings]
    return " ".join(parts)


def read_manifest(path: Path) -> dict[str, Any]:
    """The manifest of a run's folder."""
    try:
        found = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
    except OSError as error:
        raise RunError(f"cannot read {str(path / MANIFEST)!r}: {error.strerror}") from None
    except ValueError:
        raise RunError(f"{str(path / MANIFEST)!r} is no manifest of a run") from None
    if not isinstance(found, dict):
        raise RunError(f"{str(path / MANIFEST)!r} is no manifest of a run")
    return found


def _write(path: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest, all or nothing."""
    part = path / f".{MANIFEST}.part"
    part.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    part.replace(path / MANIFEST)


def environment() -> dict[str, Any]:
    """Versions, machine and command line, for the manifest."""
    versions = {name: _version(name) for name in PACKAGES}
    return {
        "versions": {"python": platform.python_version()} | versions,
        "machine": {
            "system": platform.platform(),
            "processor": _processor(),
            "cores": os.cpu_count(),
        },
        "command": sys.argv,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _processor() -> str:
    """The name of the processor; `platform` knows only its kind on Linux."""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as lines:
            names = (
                line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")
            )
            return next(names, platform.processor())
    except OSError:
        return platform.processor()
