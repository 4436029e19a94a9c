"""Agents that play inside kernels, by name."""

from __future__ import annotations

import agents
from agents.base import Agent
from experiments.errors import RunError
from rummy500_env.rules import Rules

__all__ = ["compiled_agent", "made"]


def made(name: str, rules: Rules, num_players: int, seed: int) -> Agent:
    """Return the agent of a name, ready to play; `RunError` when it cannot be made."""
    try:
        agent = agents.make(name)
    except ValueError as error:
        raise RunError(str(error)) from error
    agent.reset(rules, num_players, seed)
    return agent


def compiled_agent(name: str, rules: Rules, num_players: int, seed: int) -> Agent:
    """Return the same if its policy is compiled, and else raise `RunError`."""
    agent = made(name, rules, num_players, seed)
    if getattr(agent, "policy", None) is None:
        raise RunError(
            f"agent {name!r} is not compiled, and millions of decisions are asked of it here: use "
            "one that is, such as greedy, advisor or learned"
        )
    return agent
