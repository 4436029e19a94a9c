"""``rummy500 train td``: a value network that teaches itself, TD(lambda) on after-states.

Everything from top to bottom: rounds of self-play with compiled kernels, the views after each move
as features, targets of TD(lambda) (Sutton 1988; in self-play: Tesauro 1995), a regression with
Adam. With ``trace=1`` the targets are what rounds came to, which is Deep Monte Carlo (Zha et al.
2021) on after-states.

While one core learns from the last rounds, another plays the next ones with the weights from
before. What is played in iteration ``k`` follows from the seed, from ``k`` and those weights alone;
a checkpoint holds all of it, so a training that was cut goes on to the same curve.
"""

# pyright: reportMissingImports=false
# Torch is in an extra: without it this module is checked as far as that goes.
from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch

from experiments.making import compiled_agent
from experiments.training.config import TDConfig
from experiments.training.folder import TrainingFolder, check_finite
from experiments.training.judging import Judging, Kept
from experiments.training.rows import numbers_of, sums_of_rows
from rummy500_env.networks import LAYERS, ValueNetwork, network_policy
from rummy500_env.rules import Rules
from rummy500_env.self_play import Lessons, SelfPlay

__all__ = ["POINTS", "Network", "TDConfig", "train"]

POINTS: Final = 100.0
"""Points that an output of one stands for."""
SPREAD: Final = 0.03
"""Standard deviation of the table's first weights."""
WARM_UP: Final = 10
"""Iterations after which the mean of the weights reaches back further."""


class Network(torch.nn.Module):
    """The network of `rummy500_env.engine.network`, as torch has it."""

    def __init__(self) -> None:
        super().__init__()
        (features, first), (_, second) = LAYERS["table"], LAYERS["second"]
        self.table = torch.nn.Parameter(torch.normal(0.0, SPREAD, (features, first)))
        self.table_bias = torch.nn.Parameter(torch.zeros(first))
        self.second = torch.nn.Linear(first, second)
        self.last = torch.nn.Linear(second, 1)

    def forward(self, features: torch.Tensor, starts: torch.Tensor) -> torch.Tensor:
        """Return the values of views, in hundreds of points.

        Args:
            features: Numbers of their features, one view after the other.
            starts: Where each view's begin.
        """
        first = torch.relu(sums_of_rows(self.table, features, starts) + self.table_bias)
        return self.last(torch.relu(self.second(first)))[:, 0]

    def _in_order(self) -> Iterator[torch.Tensor]:
        """Yield the layers as the kernels have them, by input, then by output."""
        yield from (self.table, self.table_bias)
        for layer in (self.second, self.last):
            yield from (layer.weight.T, layer.bias)

    def weights(self) -> npt.NDArray[np.float32]:
        """Return a copy of all weights, as kernels read them."""
        with torch.no_grad():
            return torch.cat([layer.reshape(-1) for layer in self._in_order()]).cpu().numpy()

    def load(self, network: ValueNetwork) -> None:
        """Take over the weights of a network."""
        with torch.no_grad():
            for layer, values in zip(self._in_order(), network.layers.values(), strict=True):
                layer.copy_(torch.from_numpy(values.copy()).reshape(layer.shape))


class _Pool:
    """Who else plays: ladder agents, and snapshots whose weights are overwritten in turn."""

    def __init__(self, config: TDConfig, rules: Rules, weights: Any) -> None:
        self.kept = [Kept(f"kept {k}", network_policy, weights) for k in range(config.snapshots)]
        ladder = []
        for name in config.opponents:
            agent: Any = compiled_agent(name, rules, config.players, config.seed)
            ladder.append(agent.policy)
        self.policies = [*ladder, *(kept.policy for kept in self.kept)]

    def seating(self, config: TDConfig, games: int, rng: np.random.Generator) -> Any:
        """Return who sits where: for the pool's share of the rounds the network at one seat."""
        who = np.zeros((games, config.players), np.int64)
        count = round(games * config.pool)
        who[:count] = rng.integers(1, len(self.policies) + 1, (count, config.players))
        who[np.arange(count), rng.integers(config.players, size=count)] = 0
        return who


class _Training:
    """A training in progress; what it hangs on is in :meth:`state`."""

    def __init__(self, config: TDConfig, device: str) -> None:
        self.config, self.device = config, device
        self.rules = Rules.preset(config.rules)
        torch.manual_seed(config.seed)
        self.net = Network()
        if config.start:
            found = ValueNetwork.load(config.start)
            found.check(self.rules, config.players)
            self.net.load(found)
        self.net.to(device)
        self.adam = torch.optim.Adam(self.net.parameters(), lr=config.learning_rate, fused=True)
        self.done = 0
        self.weights = self.before = self.net.weights()
        self.judging = Judging(config, network_policy, self.weights)
        self.pool = _Pool(config, self.rules, self.weights)
        self.tables = SelfPlay(self.rules, config.players, self.pool.policies)
        self.player = ThreadPoolExecutor(1)
        self.coming: Future[Lessons] | None = None

    def state(self) -> dict[str, Any]:
        """Return all that the rest of the training hangs on."""
        return {
            "net": self.net.state_dict(),
            "adam": self.adam.state_dict(),
            "done": self.done,
            "weights": self.weights,
            "before": self.before,
            "kept": [kept.numbers for kept in self.pool.kept],
            **self.judging.state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.net.load_state_dict(state["net"])
        self.adam.load_state_dict(state["adam"])
        self.done = state["done"]
        self.weights, self.before = state["weights"].numpy(), state["before"].numpy()
        self.judging.restore(state)
        for kept, saved in zip(self.pool.kept, state["kept"], strict=True):
            kept.numbers[:] = saved.numpy()

    # -- playing -------------------------------------------------------------------------------

    def play(self, iteration: int, weights: npt.NDArray[np.float32]) -> Lessons:
        """Play the rounds of an iteration."""
        config = self.config
        rng = np.random.default_rng([config.seed, 1, iteration])
        games = config.rounds_at_once
        seeds, keys = (rng.integers(2**64, size=games, dtype=np.uint64) for _ in range(2))
        who = self.pool.seating(config, games, rng)
        return self.tables.play(weights, seeds, keys, who, config.trying, config.trace)

    # -- learning ------------------------------------------------------------------------------

    def learn(self, lessons: Lessons) -> float:
        """Go through the lessons once; returns the mean squared error before each step."""
        config = self.config
        for group in self.adam.param_groups:
            group["lr"] = config.rate(self.done)
        order = np.random.default_rng([config.seed, 3, self.done]).permutation(len(lessons.targets))
        losses = []
        for at in range(0, len(order), config.batch):
            rows = order[at : at + config.batch]
            features, starts = numbers_of(lessons.features[rows])
            wanted = (lessons.targets[rows] / POINTS).astype(np.float32)
            tensors = (torch.from_numpy(x).to(self.device) for x in (features, starts, wanted))
            features_of, starts_of, wanted_of = tensors
            loss = torch.nn.functional.mse_loss(self.net(features_of, starts_of), wanted_of)
            self.adam.zero_grad()
            loss.backward()
            self.adam.step()
            losses.append(loss.item())
        mean = float(np.mean(losses))
        check_finite(self.done, mean)
        return mean

    def keep_snapshot(self) -> None:
        """Now and then, let the oldest snapshot be what has been learned; nobody plays now."""
        kept = self.pool.kept
        every = max(1, self.config.iterations // (4 * max(1, len(kept))))
        if kept and self.done and self.done % every == 0:
            kept[self.done // every % len(kept)].numbers[:] = self.weights

    def step(self) -> dict[str, float]:
        """Learn from an iteration's rounds while the next ones are played; returns the error."""
        coming = self.coming or self.player.submit(self.play, self.done, self.before)
        lessons = coming.result()
        self.keep_snapshot()
        if self.done + 1 < self.config.iterations:
            self.coming = self.player.submit(self.play, self.done + 1, self.weights)
        loss = self.learn(lessons)
        self.done += 1
        # A running mean of the weights (Polyak and Juditsky 1992) plays, and is what is kept: it is
        # worth what a lower rate is, while the network itself still learns at a high one.
        kept = min(self.config.average, self.done / (self.done + WARM_UP))
        mean = kept * self.weights + (1.0 - kept) * self.net.weights()
        self.before, self.weights = self.weights, mean.astype(np.float32)
        check_finite(self.done - 1, self.weights)
        return {"loss": loss}

    def measure(self) -> tuple[dict[str, float], bool]:
        """Return what the network gains over the judges, and whether it is the best so far."""
        return self.judging.judge(self.weights)

    def network(self, about: dict[str, Any]) -> ValueNetwork:
        """Return the network as it is."""
        about = {"kind": "td", **about}
        return ValueNetwork(self.weights, self.rules, self.config.players, about)


def train(
    config: TDConfig,
    out: str | Path,
    device: str = "cpu",
    progress: Any = None,
    keep_all: bool = False,
) -> Path:
    """Train a network; returns the file of the best one.

    Args:
        config: What is trained and how.
        out: Folder for the files; see :class:`~experiments.training.folder.TrainingFolder`.
        device: Torch's device for learning; play is on the processor.
        progress: Called with the rounds played and all rounds, now and then.
        keep_all: Whether the network of each evaluation is kept.
    """
    folder = TrainingFolder(out, config, device, keep_all)
    torch.set_num_threads(1)  # the other core plays
    training = _Training(config, device)
    with training.player:
        return folder.train(training, progress)
