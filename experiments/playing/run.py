"""``rummy500 play``: seats everybody, plays, keeps the record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from experiments.errors import InterruptedRunError, RunError
from experiments.interrupts import uninterrupted
from experiments.playing import screen
from experiments.playing.dialogue import Dialogue
from experiments.playing.table import PlayTable
from experiments.settings import agent_names, rules_from_words
from rummy500_env.envs.opponents import Opponent, seat_opponents
from rummy500_env.errors import Rummy500Error
from rummy500_env.game import Game
from rummy500_env.records import Writer

__all__ = ["run"]

PERSON: Final = "human"
"""What the person is called in records."""


def run(
    opponents: Sequence[str],
    preset: str,
    changes: Sequence[str],
    num_players: int | None,
    seed: int | None,
    seat: int,
    episode: str,
    hint: str | None,
    view: str,
    record: str | None,
) -> None:
    """Play a game between a person and agents.

    Args:
        opponents: Words with their names, from the seat after the person's on; one for all, or one
            for each.
        preset: Preset of the rules.
        changes: What is changed of it, as ``option=value``.
        num_players: Seats; None: as many as there are names, and the person.
        seed: Seed of the game; None draws one.
        seat: Where the person sits.
        episode: ``"game"`` or ``"round"``.
        hint: The agent that is asked for hints; None: the strongest that can play these rules.
        view: ``"own"``, or ``"all"`` for open hands.
        record: The file to write the game to, also when it is broken off.

    Raises:
        RunError: when one of these cannot be.
        InterruptedRunError: at Ctrl-C, when a record was kept.
    """
    if view not in ("own", "all"):
        raise RunError(f"view={view!r}: allowed are 'own' and 'all'")
    names = agent_names(opponents, "--opponents")
    count = len(names) + 1 if num_players is None else num_players
    rules = rules_from_words(preset, changes)
    try:
        game = Game(rules, count, seed, episode)
        if not 0 <= seat < count:
            raise RunError(f"seat={seat}: allowed are 0 to {count - 1}")
        seated = seat_opponents(names, count)
        table = PlayTable(game, seat, seated)
        if hint is not None:
            Opponent(hint, "hint")
    except Rummy500Error:
        raise
    except (ValueError, TypeError) as error:
        raise RunError(str(error)) from error
    called = {(seat + 1 + slot) % count: one.name for slot, one in enumerate(seated)}
    file = None if record is None else _new_file(record)
    shown = [called.get(place, "you") for place in range(count)]
    screen.write(f"Seed {game.seed}. You sit at seat {seat}. ? gives a hint, help says more.\n")
    try:
        Dialogue(table, shown, hint, view == "all").run()
    except EOFError:
        screen.write("\nThe input has ended.")
    except KeyboardInterrupt:
        if record is None:
            raise
        raise InterruptedRunError(f"the game up to here is in {record!r}") from None
    finally:
        if file is not None:
            with uninterrupted(), file:
                file.add(table.game, [called.get(place, PERSON) for place in range(count)])
    if record is not None:
        screen.write(f"Record: {record}")


def _new_file(path: str) -> Writer:
    """Open a file that is not there yet: before the game, so that none is played in vain."""
    if Path(path).exists():
        raise RunError(f"{path!r} is there already: name a new file")
    return Writer(path)
