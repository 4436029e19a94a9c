"""Agents by name, as runs need them."""

from __future__ import annotations

import agents
from agents.base import Agent
from experiments.errors import RunError
from rummy500_env.errors import Rummy500Error
from rummy500_env.rules import Rules

__all__ = ["compiled_agent", "made", "ready_agent"]


def made(name: str) -> Agent:
    """Return the agent of a name.

    Raises:
        Rummy500Error: when there is none of that name, or it cannot be made: `RunError` where a
            setting is wrong.
    """
    try:
        return agents.make(name)
    except Rummy500Error:
        raise
    except ValueError as error:  # of a setting
        raise RunError(str(error)) from None


def ready_agent(name: str, rules: Rules, num_players: int, seed: int) -> Agent:
    """Return the agent of a name, ready to play; raises what :func:`made` does."""
    agent = made(name)
    agent.reset(rules, num_players, seed)
    return agent


def compiled_agent(name: str, rules: Rules, num_players: int, seed: int) -> Agent:
    """Return the same if its policy is compiled, and else raise `RunError`."""
    agent = ready_agent(name, rules, num_players, seed)
    if getattr(agent, "policy", None) is None:
        raise RunError(
            f"agent {name!r} is not compiled, and millions of decisions are asked of it here: use "
            "one that is, such as greedy, advisor or learned"
        )
    return agent
