"""One round of any rules as a game of OpenSpiel: ``python_rummy500``.

```python
import pyspiel
from rummy500_env.envs import openspiel  # registers the game

game = pyspiel.load_game("python_rummy500", {"rules": "mini"})
game = openspiel.make("rummy500", num_players=3)  # or Rules, or options
```

Chance is explicit: hands are dealt card by card, each in the order of faces, so that a hand is
dealt in one way only; then the first discard; the stock's card is decided when it is drawn. The
information state of a seat is all that it has seen, in order. Seat 0 is the first to turn. A round
pays each side its points less the mean of the other sides', at its end.

Needs OpenSpiel: ``pip install 'rummy500[openspiel]'``.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import numpy as np
import pyspiel

from rummy500_env.actions import ActionSpace, action_space
from rummy500_env.arguments import as_rules
from rummy500_env.cards import NUM_FACES, text
from rummy500_env.engine.jit import allocate, duplicate
from rummy500_env.engine.lazy import (
    CHANCE,
    TERMINAL,
    begin_lazy,
    follow,
    kind_of,
    list_chance,
    show_to,
)
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.engine.state import NOMINATE, OVER, STATE
from rummy500_env.engine.tables import list_legal, new_table, observe_table
from rummy500_env.observations import observation_space
from rummy500_env.rules import Rules
from rummy500_env.view_record import VIEW

__all__ = ["NAME", "RummyGame", "RummyState", "make", "rules_text"]

NAME: Final = "python_rummy500"

_TYPE: Final = pyspiel.GameType(
    short_name=NAME,
    long_name="Rummy 500, one round",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=8,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=False,
    parameter_specification={"rules": "mini", "num_players": 2},
)

_CODED: Final = "json-"


def rules_text(rules: Rules | str | Mapping[str, Any]) -> str:
    """Return rules as the parameter ``rules``: a preset's name, or options coded as one word.

    The word has only letters, digits, ``-`` and ``_``: OpenSpiel writes games as text and reads
    them again.
    """
    if isinstance(rules, str):
        return rules
    options = json.dumps(as_rules(rules).to_dict(full=False), separators=(",", ":"))
    return _CODED + base64.urlsafe_b64encode(options.encode()).decode().rstrip("=")


@lru_cache(maxsize=64)
def _rules_of(word: str) -> Rules:
    if not word.startswith(_CODED):
        return Rules.preset(word)
    coded = word.removeprefix(_CODED)
    return Rules.from_dict(json.loads(base64.urlsafe_b64decode(coded + "=" * (-len(coded) % 4))))


def make(rules: Rules | str | Mapping[str, Any] = "mini", num_players: int = 2) -> RummyGame:
    """Return the game of some rules.

    Args:
        rules: Name of a preset, rules, or a mapping of options.
        num_players: Seats at the table.

    Raises:
        RulesError: when the rules cannot seat that many players.
    """
    rules_record(as_rules(rules), num_players)
    return pyspiel.load_game(NAME, {"rules": rules_text(rules), "num_players": num_players})


class _Table:
    """What all nodes of a game share."""

    def __init__(self, word: str, num_players: int) -> None:
        self.rules, self.seats = _rules_of(word), num_players
        self.record = rules_record(self.rules, num_players)
        self.space: ActionSpace = action_space(self.rules, num_players)
        self.texts = self.space.texts()
        self.form = observation_space(self.rules, num_players).form(np.float32)
        self.root = allocate(1, STATE)
        new_table(self.root, 0, self.record, np.uint64(0), np.int64(1))
        begin_lazy(self.root, self.record)

    def __deepcopy__(self, memo: dict[int, Any]) -> _Table:
        return self  # it never changes; OpenSpiel copies states attribute by attribute


_table = lru_cache(maxsize=64)(_Table)


def _shared(params: Mapping[str, Any]) -> _Table:
    """Return what belongs to a game's parameters.

    OpenSpiel keeps the game itself, and forgets attributes that Python has given it.
    """
    return _table(params.get("rules", "mini"), int(params.get("num_players", 2)))


class RummyGame(pyspiel.Game):
    """A round of Rummy 500 as OpenSpiel sees it. Parameters: ``rules``, ``num_players``."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        params = dict(params or {})
        shared = _shared(params)
        most = _most_points(shared.rules, shared.seats)
        info = pyspiel.GameInfo(
            num_distinct_actions=shared.space.n,
            max_chance_outcomes=NUM_FACES + 1,
            num_players=shared.seats,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=_most_moves(shared.rules, shared.seats),
        )
        super().__init__(_TYPE, info, params)

    def new_initial_state(self) -> RummyState:
        """Return a round before its deal."""
        return RummyState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        """Return what OpenSpiel asks for observations."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return _Observer(_shared(self.get_parameters()), kind.perfect_recall)


class RummyState(pyspiel.State):
    """A node of a round: a table, and what each seat has seen."""

    def __init__(self, game: RummyGame) -> None:
        super().__init__(game)
        self.shared = _shared(game.get_parameters())
        self.table = duplicate(self.shared.root)
        self.drawing = 0
        self.seen: list[list[str]] = [[] for _ in range(self.shared.seats)]
        self.unseen_hands: list[list[str]] = [[] for _ in range(self.shared.seats)]

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's number for chance or the end."""
        kind = kind_of(self.table, np.int64(self.drawing))
        if kind == TERMINAL:
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if kind == CHANCE else int(self.table["seat"][0])

    def is_terminal(self) -> bool:
        """Whether the round is over."""
        return self.current_player() == pyspiel.PlayerId.TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        if player != self.table["seat"][0]:
            return []
        legal = np.empty(self.shared.space.n, np.int64)
        count = list_legal(self.table, 0, self.shared.record, legal)
        return legal[:count].tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the faces that may be shown next, with their probabilities."""
        faces, chances = np.empty(NUM_FACES + 1, np.int64), np.empty(NUM_FACES + 1)
        where = (self.table, np.int64(0), self.shared.record, np.int64(self.drawing))
        count = list_chance(*where, faces, chances)
        return list(zip(faces[:count].tolist(), chances[:count].tolist(), strict=True))

    def _apply_action(self, action: int) -> None:
        where = (self.table, np.int64(0), self.shared.record, np.int64(self.drawing))
        by_chance = kind_of(self.table, np.int64(self.drawing)) == CHANCE
        dealing = by_chance and self.table["phase"][0] == OVER
        nominating = self.table["phase"][0] == NOMINATE
        viewer = int(show_to(*where, np.int64(action)))
        mover = int(self.table["seat"][0])
        told = text(action) if by_chance else f"{mover}: {self.shared.texts[action]}"
        hidden = dealing and viewer >= 0 and self.shared.rules.dealers_joker
        for seat in range(self.shared.seats):
            if viewer in (-1, seat):
                (self.unseen_hands if hidden else self.seen)[seat].append(told)
        if nominating:  # now everybody looks at his hand
            for seat in range(self.shared.seats):
                self.seen[seat] += self.unseen_hands[seat]
        self.drawing = int(follow(*where, np.int64(action)))

    def _action_to_string(self, player: int, action: int) -> str:
        return text(action) if player == pyspiel.PlayerId.CHANCE else self.shared.texts[action]

    def returns(self) -> list[float]:
        """Return what each seat wins: its side's points less the mean of the other sides'."""
        n = self.shared.seats
        if not self.is_terminal():
            return [0.0] * n
        points = self.table["round_scores"][0, :n].astype(float)
        sides = 2 if self.shared.rules.teams != "none" else n
        total = points.sum() * sides / n
        return ((sides * points - total) / (sides - 1)).tolist()

    def __str__(self) -> str:
        """Return all that has been seen by anybody, seat by seat: it tells histories apart."""
        hands = zip(self.seen, self.unseen_hands, strict=True)
        lines = ["; ".join(seen + (hand if not seen else [])) for seen, hand in hands]
        return f"drawing {self.drawing}\n" + "\n".join(lines)


class _Observer:
    """Information states as strings; observations as strings and arrays."""

    def __init__(self, shared: _Table, recalls: bool) -> None:
        self._shared, self._recalls = shared, recalls
        template, _ = shared.form
        size = 0 if recalls else len(template)
        self.tensor = np.zeros(size, np.float32)
        self.dict = {} if recalls else {"observation": self.tensor}
        self._work = allocate(1, VIEW)

    def set_from(self, state: RummyState, player: int) -> None:
        """Write what a seat observes; zeros before the first move."""
        if self._recalls:
            return
        template, scale = self._shared.form
        if state.table["phase"][0] == OVER and state.table["how"][0] == 0:
            self.tensor[:] = 0
            return
        table = (state.table, 0, self._shared.record)
        observe_table(*table, player, self._work, template, scale, self.tensor)

    def string_from(self, state: RummyState, player: int) -> str:
        """Return all that a seat has seen, in order."""
        return f"seat {player}; " + "; ".join(state.seen[player])


def _most_points(rules: Rules, num_players: int) -> float:
    """Return a bound on what a seat wins or loses in a round."""
    record = rules_record(rules, num_players)
    values = np.maximum(record["best_values"][0], record["hand_values"][0])
    cards = float(values.max()) * rules.pack_size(num_players)
    cards *= rules.four_at_once_multiplier * rules.going_rummy_multiplier
    cards *= 2 if rules.dealers_joker else 1
    bonuses = rules.go_out_bonus + rules.boot_bonus + rules.masters_hand_bonus
    return 2 * (cards + bonuses + rules.four_aces_bonus)


def _most_moves(rules: Rules, num_players: int) -> int:
    """Return a bound on the decisions of a round: of its turns, and of those in each turn."""
    cards = rules.pack_size(num_players)
    turns = rules.resolved_max_turns
    if turns is None:
        turns = 2 * cards + 2 * num_players
        if rules.top_discard_free:
            turns *= 1 + (rules.no_progress(num_players) or 1)
    return (turns + 1) * (cards + 4 * num_players)


pyspiel.register_game(_TYPE, RummyGame)
