"""Agents: strategies that play Rummy 500, by name.

    import agents
    agents.names()
    agent = agents.make("greedy")
"""

from agents.base import Agent, PolicyAgent, TurnAgent
from agents.registry import make, names, register

__all__ = ["Agent", "PolicyAgent", "TurnAgent", "make", "names", "register"]
