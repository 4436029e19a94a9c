"""Agents: strategies that play Rummy 500, by name.

``agents.names()`` lists them, ``agents.make("greedy")`` makes one.
"""

from agents.base import Agent, PolicyAgent, TurnAgent
from agents.isolation import IsolatedAgent
from agents.observing import ObservingAgent
from agents.registry import make, names, register

__all__ = [
    "Agent",
    "IsolatedAgent",
    "ObservingAgent",
    "PolicyAgent",
    "TurnAgent",
    "make",
    "names",
    "register",
]
