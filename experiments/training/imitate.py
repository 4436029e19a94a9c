"""``rummy500 train imitate``: a network learns what others did, from their decisions.

A policy network learns how likely each move was (cross-entropy on logits of legal actions), and its
value what was still earned. A value network learns what views after own moves came to; ``learned``
then makes the moves that its teacher's rounds speak for, not always those of the teacher. Both go
on in self-play: ``rummy500 train ppo --start FILE``, ``rummy500 train td --start FILE``.
"""

# pyright: reportMissingImports=false
# Torch is in an extra: without it this module is checked as far as that goes.
from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from agents.leads import leads
from agents.policy_network import policy_move
from experiments.errors import RunError
from experiments.training import ppo, td
from experiments.training.config import ImitateConfig
from experiments.training.folder import TrainingFolder, check_finite
from experiments.training.judging import Kept
from experiments.training.rows import numbers_of
from experiments.training.teaching import Decisions, lessons_of
from rummy500_env.engine.features import NUM_WORDS, write_features
from rummy500_env.engine.jit import kernel
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.networks import Network, ValueNetwork, network_policy
from rummy500_env.rules import Rules
from rummy500_env.search import afterstates, observe

__all__ = ["ImitateConfig", "train"]

POINTS = td.POINTS


class _Student(Protocol):
    """A network that learns."""

    @property
    def net(self) -> nn.Module:
        """The network."""
        ...

    @property
    def function(self) -> Any:
        """What its compiled policy is made of."""
        ...

    def arrays(self, decisions: Decisions) -> tuple[npt.NDArray[Any], ...]:
        """Return what is learned from decisions, a row for each."""
        ...

    def loss(self, *rows: npt.NDArray[Any]) -> torch.Tensor:
        """Return the mean loss of some rows of the arrays."""
        ...

    def numbers(self) -> npt.NDArray[np.float32]:
        """Return what the compiled policy reads, such that it makes the move it thinks best."""
        ...

    def network(self, about: dict[str, Any]) -> Network:
        """Return the network as files have it."""
        ...


class _Policy:
    """Learns how likely each move is."""

    function = staticmethod(policy_move)

    def __init__(self, config: ImitateConfig, rules: Rules, device: str) -> None:
        self.config, self.rules, self.device = config, rules, device
        self.net = ppo.Network(rules, config.players, config.hidden)
        if config.start:
            self.net.load(config.start)
        self.net.to(device)

    def arrays(self, decisions: Decisions) -> tuple[npt.NDArray[Any], ...]:
        """Return observations, masks, actions, and what was still earned."""
        views = decisions.views
        seen = observe(views, self.rules, self.config.players)
        now = leads(views["table_points"][:, : self.config.players], views["viewer"])
        earned = ((decisions.ends - now) / POINTS).astype(np.float32)
        return seen, decisions.masks, decisions.actions, earned

    def loss(self, *rows: npt.NDArray[Any]) -> torch.Tensor:
        """Return the cross-entropy, and the value's squared error with its weight."""
        seen, masks, actions, earned = (torch.from_numpy(x).to(self.device) for x in rows)
        logs, value = self.net(seen, masks)
        error = nn.functional.mse_loss(value, earned)
        return nn.functional.nll_loss(logs, actions) + self.config.value_weight * error

    def numbers(self) -> npt.NDArray[np.float32]:
        """Return what the compiled policy reads to make the likeliest move."""
        return self.net.exported({}).numbers(temperature=0.0)

    def network(self, about: dict[str, Any]) -> Network:
        """Return the network as files have it."""
        return self.net.exported(about)


class _Value:
    """Learns what views after own moves came to."""

    function = staticmethod(network_policy)

    def __init__(self, config: ImitateConfig, rules: Rules, device: str) -> None:
        self.config, self.rules, self.device = config, rules, device
        self.net = td.Network()
        if config.start:
            found = ValueNetwork.load(config.start)
            found.check(rules, config.players)
            self.net.load(found)
        self.net.to(device)

    def arrays(self, decisions: Decisions) -> tuple[npt.NDArray[Any], ...]:
        """Return the features after the moves, as bits, and what was still earned."""
        views, rows, players = (
            decisions.views,
            np.arange(len(decisions.actions)),
            self.config.players,
        )
        made = np.zeros_like(decisions.masks)
        made[rows, decisions.actions] = 1
        after = afterstates(views, made, self.rules, players).views
        words = np.zeros((len(after), NUM_WORDS), np.int64)
        _write_all(after, rules_record(self.rules, players), words)
        then = leads(after["table_points"][:, :players], after["viewer"])
        earned = ((decisions.ends - then) / POINTS).astype(np.float32)
        return words.view(np.uint8), earned

    def loss(self, *rows: npt.NDArray[Any]) -> torch.Tensor:
        """Return the mean squared error."""
        features, starts = numbers_of(rows[0])
        tensors = (torch.from_numpy(x).to(self.device) for x in (features, starts, rows[1]))
        features_of, starts_of, earned = tensors
        return nn.functional.mse_loss(self.net(features_of, starts_of), earned)

    def numbers(self) -> npt.NDArray[np.float32]:
        """Return the weights."""
        return self.net.weights()

    def network(self, about: dict[str, Any]) -> Network:
        """Return the network as files have it."""
        return ValueNetwork(self.net.weights(), self.rules, self.config.players, about)


@kernel
def _write_all(views: Any, rules: Any, words: Any) -> None:
    for row in range(len(views)):
        write_features(views[row], rules[0], words[row])


class _Training:
    """A training in progress; what it hangs on is in :meth:`state`."""

    def __init__(self, config: ImitateConfig, device: str) -> None:
        self.config, self.rules = config, Rules.preset(config.rules)
        torch.manual_seed(config.seed)
        kind = _Policy if config.what == "policy" else _Value
        self.student: _Student = kind(config, self.rules, device)
        self.adam = torch.optim.Adam(self.student.net.parameters(), lr=config.learning_rate)
        self.done, self.lowest = 0, np.inf
        self.lessons = lessons_of(config, self.rules)
        self.held_out = self.lessons.held_out()
        self._held_arrays = self.student.arrays(self.held_out)
        self.player = Kept("student", self.student.function, self.student.numbers())
        self.player.reset(self.rules, config.players, 0)

    def state(self) -> dict[str, Any]:
        """Return all that the rest of the training hangs on."""
        nets = {"net": self.student.net.state_dict(), "adam": self.adam.state_dict()}
        return {**nets, "done": self.done, "lowest": float(self.lowest)}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.student.net.load_state_dict(state["net"])
        self.adam.load_state_dict(state["adam"])
        self.done, self.lowest = state["done"], state["lowest"]

    def network(self, about: dict[str, Any]) -> Network:
        """Return the network as it is."""
        return self.student.network({"kind": "imitate", **about})

    def step(self) -> dict[str, float]:
        """Learn from an iteration's decisions; returns the mean loss before each step."""
        config, arrays = self.config, self.student.arrays(self.lessons.lessons(self.done))
        if not len(arrays[0]):
            raise RunError(f"no decision to learn from in {config.rounds_at_once} rounds: use more")
        for group in self.adam.param_groups:
            group["lr"] = config.rate(self.done)
        order = np.random.default_rng([config.seed, 3, self.done]).permutation(len(arrays[0]))
        losses = []
        for at in range(0, len(order), config.batch):
            rows = order[at : at + config.batch]
            loss = self.student.loss(*(x[rows] for x in arrays))
            self.adam.zero_grad()
            loss.backward()
            self.adam.step()
            losses.append(loss.item())
        weights = (x.detach().cpu().numpy() for x in self.student.net.parameters())
        check_finite(self.done, losses, *weights)
        self.done += 1
        return {"loss": float(np.mean(losses))}

    def measure(self) -> tuple[dict[str, float], bool]:
        """Return figures of the rounds kept out, and whether the loss there is the lowest so far.

        ``agreement`` is how often the move that the network thinks best is the one that was made.
        """
        held, size = self.held_out, self.config.batch
        total = 0.0
        with torch.no_grad():
            for at in range(0, len(held.actions), size):
                rows = [x[at : at + size] for x in self._held_arrays]
                total += self.student.loss(*rows).item() * len(rows[0])
        loss = total / len(held.actions)
        self.player.numbers[:] = self.student.numbers()
        agreement = float((self.player.act(held.views, held.masks) == held.actions).mean())
        is_best = loss < self.lowest
        self.lowest = min(loss, self.lowest)
        return {"held_out_loss": loss, "agreement": agreement}, is_best


def train(
    config: ImitateConfig,
    out: str | Path,
    device: str = "cpu",
    progress: Any = None,
    keep_all: bool = False,
) -> Path:
    """Train a network; returns the file of the one with the lowest loss in the rounds kept out.

    Args:
        config: What is learned, and from whom.
        out: Folder for the files; see :class:`~experiments.training.folder.TrainingFolder`.
        device: Torch's device.
        progress: Called with the rounds learned from and all rounds, after each iteration.
        keep_all: Whether the network of each evaluation is kept.
    """
    folder = TrainingFolder(out, config, device, keep_all)
    torch.set_num_threads(1)  # more are no faster with networks this small
    return folder.train(_Training(config, device), progress)
