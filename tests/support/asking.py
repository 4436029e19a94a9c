"""Agents that keep what they were asked, and games of such agents."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from agents import Agent
from rummy500_env import Rules
from rummy500_env.arena import Arena, ArenaResult

__all__ = ["Asked", "Deals", "Taped", "arena_of", "deals", "play", "same_results", "views_of"]


class Taped(Agent):
    """Plays as another agent does, or at random, through ``act``; keeps all it was asked.

    Attributes:
        views, masks, actions: Lists with an array for each call.
    """

    def __init__(self, inner: Agent | None = None) -> None:
        self.inner = inner
        self.name = "random by hand" if inner is None else inner.name
        self.views: list[npt.NDArray[Any]] = []
        self.masks: list[npt.NDArray[np.int8]] = []
        self.actions: list[npt.NDArray[np.int64]] = []

    def reset(self, rules: Rules, num_players: int, seed: int) -> None:
        """Get ready, and the other agent too."""
        super().reset(rules, num_players, seed)
        if self.inner is not None:
            self.inner.reset(rules, num_players, seed)

    def act(
        self, views: npt.NDArray[Any], action_masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.int64]:
        """Return the other agent's actions, or random ones drawn with the views' bits."""
        if self.inner is not None:
            actions = np.asarray(self.inner.act(views, action_masks), np.int64)
        else:
            legal = [np.flatnonzero(mask) for mask in action_masks]
            bits = views["random"].tolist()
            actions = np.array(
                [row[word % len(row)] for row, word in zip(legal, bits, strict=True)]
            )
        self.views.append(views.copy())
        self.masks.append(action_masks.copy())
        self.actions.append(actions.copy())
        return actions


class Asked(NamedTuple):
    """Views and masks of many decisions, one a row."""

    views: npt.NDArray[Any]
    masks: npt.NDArray[np.int8]


class Deals(NamedTuple):
    """Seeds and keys of games."""

    seeds: npt.NDArray[np.uint64]
    keys: npt.NDArray[np.uint64]


def deals(num_games: int, num_players: int, seed: int = 0) -> Deals:
    """Seeds and keys, drawn from a seed of their own."""
    rng = np.random.default_rng(seed)
    return Deals(
        rng.integers(2**64, size=num_games, dtype=np.uint64),
        rng.integers(2**64, size=(num_games, num_players), dtype=np.uint64),
    )


def play(arena: Arena, dealt: Deals, seating: npt.ArrayLike, threads: int = 1) -> ArenaResult:
    """Play the deals."""
    return arena.play(dealt.seeds, seating, dealt.keys, threads)


def arena_of(
    rules: Rules,
    num_players: int,
    agents: list[Any],
    episode: str = "round",
    **settings: Any,
) -> Arena:
    """An arena with agents that have been set up."""
    for agent in agents:
        agent.reset(rules, num_players, 1)
    return Arena(rules, num_players, agents, episode, **settings)


def views_of(
    inner: Agent | None, num_players: int, num_games: int, rules: Rules, seed: int = 0
) -> Asked:
    """The decisions of an agent that plays rounds against itself; of random play without one."""
    agent = Taped(inner)
    arena = arena_of(rules, num_players, [agent])
    play(arena, deals(num_games, num_players, seed), np.zeros((num_games, num_players), int))
    return Asked(np.concatenate(agent.views), np.concatenate(agent.masks))


def same_results(one: ArenaResult, other: ArenaResult) -> bool:
    """Whether two results are equal to the byte, times excepted."""
    return all(
        getattr(one, name).tobytes() == getattr(other, name).tobytes()
        and getattr(one, name).dtype == getattr(other, name).dtype
        for name in vars(one)
        if not name.endswith("_seconds")
    )
