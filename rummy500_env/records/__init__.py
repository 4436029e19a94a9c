"""Records of played games: write them, read them, replay them, make data sets of them.

A record is text, a JSON object a line (``.r500``, or ``.r500.gz`` compressed by gzip). A game is a
header and then a line for each round; a file holds any number of games one after the other, so
files can be joined by joining their text. `docs/records.md` describes all keys.

    write("game.r500", game, players=["me", "greedy"])
    for played in replay("game.r500"):
        for step in played.steps():
            print(step.game, step.move)

:func:`replay` plays each game again and compares all it says; :func:`read` only reads. What is not
as it should be is a :class:`~rummy500_env.errors.RecordError` with file and line.
"""

from __future__ import annotations

from rummy500_env.records.files import Writer, read, write
from rummy500_env.records.model import FORMAT_VERSION, Header, Record, Round
from rummy500_env.records.played import record_of
from rummy500_env.records.replays import Replay, Step, replay, verify

__all__ = [
    "FORMAT_VERSION",
    "Header",
    "Record",
    "Replay",
    "Round",
    "Step",
    "Writer",
    "read",
    "record_of",
    "replay",
    "verify",
    "write",
]
