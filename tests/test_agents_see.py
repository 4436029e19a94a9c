"""Agents that watch: they see what the game's own events say, and nothing hidden."""

from __future__ import annotations

import numpy as np
import pytest

from agents import TurnAgent, make
from rummy500_env import Event, Game, Rules
from rummy500_env.arena import Arena

RULES = Rules()


class Watcher(TurnAgent):
    """Plays the first legal move and remembers all it has seen."""

    name = "watcher"
    log: dict[int, list[Event]] = {}  # noqa: RUF012 (shared on purpose, to be read by the test)

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Event] = []

    def see(self, event: Event) -> None:
        """Remember a move."""
        self.seen.append(event)

    def choose(self, view, legal):
        """Take the first legal move."""
        Watcher.log[view.seat] = [*self.seen, Event(view.seat, str(legal[0]), ())]
        return legal[0]


@pytest.mark.parametrize("other", ["random", "watcher"])
@pytest.mark.parametrize("episode", ["round", "game"])
def test_a_watcher_sees_the_events_of_its_seat(other, episode):
    watcher = Watcher()
    opponent = watcher if other == "watcher" else make(other)
    for agent in {id(a): a for a in (watcher, opponent)}.values():
        agent.reset(RULES, 2, 0)
    arena = Arena(RULES, 2, [watcher, opponent], episode)
    keys = np.arange(2, dtype=np.uint64)[None, :]
    arena.play([7], [[0, 1]], keys)
    seen = Watcher.log[0]
    game = Game(RULES, 2, 7, episode)
    for event in seen:
        assert game.current_seat == event.seat
        game.play(event.move)
    expected = game.events(0)[: len(seen)]
    assert seen[:-1] == expected[:-1]
    assert any(event.drawn for event in seen)
    assert not any(event.drawn for event in seen if event.seat != 0)


def test_an_agent_that_does_not_watch_is_told_nothing():
    class Blind(TurnAgent):
        name = "blind"

        def choose(self, view, legal):
            return legal[-1]

    blind = Blind()
    blind.reset(RULES, 2, 0)
    assert not blind.watches
    keys = np.zeros((1, 2), np.uint64)
    Arena(RULES, 2, [blind], "round").play([3], [[0, 0]], keys)
    assert not blind._untold
