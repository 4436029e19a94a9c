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
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from experiments.errors import RunError
from experiments.recording import RecordFile
from experiments.storage import FolderStore
from rummy500_env.layouts import layout_differences

if TYPE_CHECKING:
    from experiments.runner import Setup

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
            refused.
        manifest: what was asked for, with ``run_id``.
    """

    def __init__(self, path: Path, manifest: dict[str, Any]) -> None:
        self.path = path
        self.manifest = manifest
        self._records: RecordFile | None = None
        self._start = time.perf_counter()
        try:
            self._before = _same_run(path, manifest)
            path.mkdir(parents=True, exist_ok=True)
            if self._before is None:
                _write(path, manifest)
        except OSError as error:
            reason = error.strerror or error
            raise RunError(f"cannot write to {str(path)!r}: {reason}") from None

    def open_tables(self, num_players: int) -> FolderStore:
        """The tables of the run, to be written."""
        try:
            self._store = FolderStore(self.path, num_players)
        except OSError as error:
            raise RunError(f"cannot write to {str(self.path)!r}: {error.strerror}") from None
        return self._store

    def open_records(self, setup: Setup, names: tuple[str, ...]) -> RecordFile:
        """The records of the run, to be written."""
        try:
            self._records = RecordFile(self.path, setup, names)
        except OSError as error:
            raise RunError(f"cannot write to {str(self.path)!r}: {error.strerror}") from None
        return self._records

    def finish(self, deals_played: int, deals: int) -> None:
        """Finish tables and records, and say in the manifest how far the run got.

        An earlier run of the same, if it got further, is left as it is; and a run that got nowhere
        leaves nothing.
        """
        before = self._before or {}
        files = [self._store, *([] if self._records is None else [self._records])]
        if 0 < deals_played >= int(before.get("deals_played", 0)):
            for file in files:
                file.close()
            if self._records is None:  # what an earlier run has recorded is still there
                recorded = before.get("games_recorded", 0)
            else:
                recorded = self._records.num_games
            self.manifest |= {
                "complete": deals_played == deals,
                "deals_played": deals_played,
                "wall_seconds": round(time.perf_counter() - self._start, 3),
                "rows": self._store.num_rows,
                "games_recorded": recorded,
            }
            _write(self.path, self.manifest)
            return
        for file in files:
            file.discard()
        if self._before is None:
            (self.path / MANIFEST).unlink(missing_ok=True)
            if not any(self.path.iterdir()):
                self.path.rmdir()


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
