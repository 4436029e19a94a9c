"""From a game to its record: its moves are played again, and cut into rounds."""

from __future__ import annotations

from collections.abc import Sequence

from rummy500_env.errors import IllegalActionError, PositionError, RecordError
from rummy500_env.game import Game
from rummy500_env.records.model import SAID_BY_HEADER, Header, Record, Round
from rummy500_env.version import __version__

__all__ = ["record_of", "round_of"]


def record_of(game: Game, players: Sequence[str] | None = None, game_id: int = 0) -> Record:
    """Return the record of a game, finished or not.

    Args:
        game: The game; its history counts from where it began, which may be a position.
        players: Name of the player at each seat; ``player_0`` and so on when left out.
        game_id: Its number.

    Raises:
        RecordError: when the names are not one a seat, when the game was over before its first
            move, or when it does not play the same from its position.
    """
    names = [f"player_{seat}" for seat in range(game.num_players)] if players is None else players
    if isinstance(names, str) or len(names) != game.num_players:
        raise RecordError(f"players={names!r}: {game.num_players} names are needed, one a seat")
    header = _header(game, tuple(map(str, names)), game_id)
    texts, rounds, moves = game.action_space.texts(), [], []
    try:
        again = header.begin()
        number = again.round_number
        for action in game.history:
            again.step(action)
            moves.append(texts[action])
            if len(again.rounds) > len(rounds):
                rounds.append(round_of(again, number, moves, has_ended=True))
                number, moves = again.round_number, []
    except (PositionError, IllegalActionError) as error:
        raise RecordError(f"the game does not play the same from its position: {error}") from None
    if not again.is_over:
        rounds.append(round_of(again, number, moves, has_ended=False))
    if (again.rounds, again.scores, again.phase) != (game.rounds, game.scores, game.phase):
        raise RecordError("the game does not play the same from its position")
    return Record(header, tuple(rounds))


def round_of(game: Game, number: int, moves: Sequence[str], has_ended: bool) -> Round:
    """Return a round of a game that stands right after some moves of it, which may have ended it.

    Args:
        game: The game.
        number: Number of the round.
        moves: Texts of the round's moves.
        has_ended: Whether the last of them ended it.
    """
    scores, went_out, how = game.rounds[-1] if has_ended else (None, None, None)
    winners = tuple(game.winners) if game.is_over else None
    totals = tuple(game.scores)
    return Round(number, tuple(moves), how, went_out, scores, totals, winners, game.truncated_by)


def _header(game: Game, players: tuple[str, ...], game_id: int) -> Header:
    start = game.start()
    if start.is_over:
        raise RecordError("the game was over before its first move: there is nothing to record")
    position = start.position()
    said = [position.pop(key) for key in SAID_BY_HEADER]
    episode = "round" if said[-1] else "game"
    dealt = Game(game.rules, game.num_players, game.seed, episode) == start
    return Header(
        game.rules,
        game.num_players,
        game.seed,
        episode,
        players,
        game_id,
        None if dealt else position,
        __version__,
    )
