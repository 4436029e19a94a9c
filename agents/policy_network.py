"""Policy networks: how likely each legal action is, from the environment's observation.

Two layers of ReLU units see the observation of the seat to move; behind them stand a logit for each
action, of which those of legal ones alone count, and a value, which only training reads. What the
observation says of the game's state is left out: a round is played alike wherever it stands in a
game. All is worked out row by row and in one order: a decision hangs on its view alone, to the last
bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from rummy500_env.actions import MAX_ACTIONS, action_space
from rummy500_env.engine.bits import next_bit
from rummy500_env.engine.encode import encode
from rummy500_env.engine.jit import JIT_DISABLED, kernel
from rummy500_env.engine.policies import bound_policy, mask_bits
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.engine.scratch import scratch
from rummy500_env.networks import Network, NetworkError, Shapes
from rummy500_env.observations import observation_space
from rummy500_env.rules import Rules

__all__ = ["MAX_HIDDEN", "PolicyNetwork", "entries_of_the_round", "policy_move"]

OF_THE_GAME: Final = ("scores", "rounds", "end", "chips")
"""Blocks of the observation that say how the game stands; those there are, are left out."""

MAX_HIDDEN: Final = 512
MAX_ENTRIES: Final = 8192
"""More than any observation has."""

ENTRIES, HIDDEN, ACTIONS, TEMPERATURE, HEAD = range(5)
"""Where numbers begin with what they are made for; behind ``HEAD`` of them stand the observation's
scale, its template, and the weights."""

_seen, _hidden = scratch(np.float32, MAX_ENTRIES), scratch(np.float32, 2, MAX_HIDDEN)
_chances = scratch(np.float64, MAX_ACTIONS)


@kernel(vectorize=True)
def _dense(inputs: Any, numbers: Any, at: Any, sums: Any) -> Any:
    """Write a layer of ReLU units; its rows by input begin at ``at``, its bias stands behind.

    Returns:
        Where the next layer begins.
    """
    units = len(sums)
    bias = at + len(inputs) * units
    for unit in range(units):
        sums[unit] = numbers[bias + unit]
    for k in range(len(inputs)):
        value = inputs[k]
        if value != 0:  # most entries of an observation are
            row = numbers[at + k * units : at + (k + 1) * units]
            for unit in range(units):
                sums[unit] += value * row[unit]
    for unit in range(units):
        sums[unit] = sums[unit] if sums[unit] > 0 else np.float32(0)
    return bias + units


@kernel
def _write_chances(
    view: Any, bits: Any, r: Any, numbers: Any, seen: Any, hidden: Any, chances: Any
) -> Any:
    """Write how likely each legal action is; others are left alone.

    Args:
        view: The view's record.
        bits: ``int64 (words,)``: the legal actions.
        r: The rules' record.
        numbers: See :meth:`PolicyNetwork.numbers`.
        seen: ``float32 (MAX_ENTRIES,)`` to work in.
        hidden: ``float32 (2, MAX_HIDDEN)`` to work in.
        chances: ``float64``, by action.

    Returns:
        The likeliest action, the first of equals.
    """
    entries, units = np.int64(numbers[ENTRIES]), np.int64(numbers[HIDDEN])
    actions, temperature = np.int64(numbers[ACTIONS]), np.float64(numbers[TEMPERATURE])
    at = np.int64(HEAD)
    scale, template = numbers[at : at + entries], numbers[at + entries : at + 2 * entries]
    encode(view, view, r, template, scale, seen[:entries])
    at += 2 * entries
    at = _dense(seen[:entries], numbers, at, hidden[0, :units])
    at = _dense(hidden[0, :units], numbers, at, hidden[1, :units])
    count, best = np.int64(r.num_words), np.int64(-1)
    action = next_bit(bits, np.int64(0), count)
    while action >= 0:
        logit = np.float64(numbers[at + actions * units + action])
        for unit in range(units):
            logit += np.float64(hidden[1, unit]) * np.float64(numbers[at + action * units + unit])
        chances[action] = logit
        if best < 0 or logit > chances[best]:
            best = action
        action = next_bit(bits, action + 1, count)
    highest, total = chances[best], 0.0
    action = next_bit(bits, np.int64(0), count)
    while action >= 0:
        if temperature > 0.0:
            chances[action] = np.exp((chances[action] - highest) / temperature)
        else:
            chances[action] = 1.0 if action == best else 0.0
        total += chances[action]
        action = next_bit(bits, action + 1, count)
    action = next_bit(bits, np.int64(0), count)
    while action >= 0:
        chances[action] /= total
        action = next_bit(bits, action + 1, count)
    return best


@kernel
def policy_move(views: Any, row: Any, legal: Any, rules: Any, numbers: Any) -> Any:
    """Draw an action with the view's random bits; a policy once it is given a network's numbers."""
    seen, hidden, chances = _seen(), _hidden(), _chances()
    bits, count = legal[row], np.int64(rules[0].num_words)
    best = _write_chances(views[row], bits, rules[0], numbers, seen, hidden, chances)
    left = np.float64(np.uint64(views[row].random) >> np.uint64(11)) / 2.0**53
    action = next_bit(bits, np.int64(0), count)
    while action >= 0:
        left -= chances[action]
        if left < 0.0:
            return action
        action = next_bit(bits, action + 1, count)
    return best  # rounding has left a little


@kernel
def _write_all(views: Any, legal: Any, rules: Any, numbers: Any, chances: Any) -> None:
    seen, hidden = _seen(), _hidden()
    for row in range(len(views)):
        _write_chances(views[row], legal[row], rules[0], numbers, seen, hidden, chances[row])


def entries_of_the_round(rules: Rules, num_players: int) -> npt.NDArray[np.float32]:
    """Return 1 for each entry of the observation that a policy network sees, 0 for the others."""
    space = observation_space(rules, num_players)
    seen = np.ones(space.size, np.float32)
    for name in OF_THE_GAME:
        if name in space.slices:
            seen[space.slices[name]] = 0
    seen[space.slices["opened"]][num_players:] = 0  # who has opened in this game
    return seen


@dataclass(frozen=True)
class PolicyNetwork(Network):
    """A policy network; its files are in single precision.

    Args:
        hidden: Units of each of the two layers.
    """

    hidden: int = 128

    KIND = "policy network"
    SIZES = ("hidden",)

    @classmethod
    def shapes_for(cls, rules: Rules, num_players: int, **sizes: int) -> Shapes:
        """Return the shapes of all layers: two by input, the logits by action, the value."""
        hidden, entries = sizes["hidden"], observation_space(rules, num_players).size
        if not 1 <= hidden <= MAX_HIDDEN:
            raise NetworkError(f"hidden={hidden} is not allowed: use 1 to {MAX_HIDDEN}")
        actions = action_space(rules, num_players).n
        return {
            "first": (entries, hidden),
            "first_bias": (hidden,),
            "second": (hidden, hidden),
            "second_bias": (hidden,),
            "logits": (actions, hidden),
            "logits_bias": (actions,),
            "value": (hidden,),
            "value_bias": (1,),
        }

    @classmethod
    def layouts(cls, rules: Rules, num_players: int) -> dict[str, Any]:
        """Return the layouts of observations and actions, in words and as their digests."""
        seen, space = observation_space(rules, num_players), action_space(rules, num_players)
        return {
            "observation": seen.id,
            "observation_layout": seen.layout,
            "actions": space.id,
            "actions_layout": space.layout,
        }

    @classmethod
    def check_layouts(cls, about: dict[str, Any], rules: Rules, num_players: int) -> None:
        """Raise an error that names the blocks in which a file's layouts are not those of today."""
        seen, space = observation_space(rules, num_players), action_space(rules, num_players)
        seen.check(about["observation_layout"])
        space.check(about["actions_layout"])
        for name, today in (("observation", seen.id), ("actions", space.id)):
            if about[name] != today:
                raise NetworkError(
                    f"it was made for {name} {about[name]!r}, this version has {today!r}: it has "
                    "to be trained anew"
                )

    def numbers(self, temperature: float = 1.0) -> npt.NDArray[np.float32]:
        """Return all that the compiled policy reads, in one array.

        Args:
            temperature: Logits are divided by it: 1 leaves the network's own probabilities, 0
                the likeliest action alone.
        """
        space = observation_space(self.rules, self.num_players)
        seen = entries_of_the_round(self.rules, self.num_players)
        template, scale = (part * seen for part in space.form(np.float32))
        actions = action_space(self.rules, self.num_players).n
        head = np.array([space.size, self.hidden, actions, temperature], np.float32)
        return np.concatenate([head, scale, template, self.weights])

    def policy_at(self, temperature: float) -> Any:
        """Return the compiled policy that draws actions at a temperature."""
        return bound_policy(policy_move, self.numbers(temperature))

    @cached_property
    def policy(self) -> Any:
        """The compiled policy that draws actions as likely as the network has them."""
        return self.policy_at(1.0)

    def probabilities(
        self,
        views: npt.NDArray[Any],
        action_masks: npt.NDArray[np.int8],
        temperature: float = 1.0,
    ) -> npt.NDArray[np.float64]:
        """Return how likely each action is: 0 where it is not legal.

        Args:
            views: Array of views of seats that are to move.
            action_masks: ``int8 (len(views), n)``: their legal actions.
            temperature: See :meth:`numbers`.

        Returns:
            ``float64 (len(views), n)``; rows sum to 1.
        """
        chances = np.zeros(action_masks.shape)
        views, masks = np.ascontiguousarray(views), np.ascontiguousarray(action_masks)
        seen = views.view(np.recarray) if JIT_DISABLED else views
        record = rules_record(self.rules, self.num_players)
        _write_all(seen, mask_bits(masks), record, self.numbers(temperature), chances)
        return chances
