"""Agents: strategies that play Rummy 500, by name.

``agents.names()`` lists them, ``agents.make("greedy")`` makes one.
"""

from agents.base import Agent, PolicyAgent, TurnAgent
from agents.isolation import IsolatedAgent
from agents.registry import make, names, register

__all__ = ["Agent", "IsolatedAgent", "PolicyAgent", "TurnAgent", "make", "names", "register"]
