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

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch

import agents
from agents.base import Agent, PolicyAgent
from experiments.errors import RunError
from experiments.margins import margins
from experiments.training.config import TDConfig
from experiments.training.curve import Curve
from rummy500_env.engine.policies import bound_policy
from rummy500_env.networks import LAYERS, ValueNetwork, network_policy
from rummy500_env.rules import Rules
from rummy500_env.self_play import Lessons, SelfPlay

__all__ = ["TDConfig", "train"]

HALF_WIDTH: Final = 1.96
POINTS: Final = 100.0
"""Points that an output of one stands for."""
SPREAD: Final = 0.03
"""Standard deviation of the table's first weights."""
FIRST_EVALUATIONS, EVALUATIONS = 10, 40
"""Iterations between evaluations, at first and later on."""


class Network(torch.nn.Module):
    """The network of `rummy500_env.engine.network`, as torch has it."""

    def __init__(self) -> None:
        super().__init__()
        (features, first), (_, second) = LAYERS["table"], LAYERS["second"]
        self.table = torch.nn.EmbeddingBag(features, first, mode="sum")
        torch.nn.init.normal_(self.table.weight, 0.0, SPREAD)
        self.table_bias = torch.nn.Parameter(torch.zeros(first))
        self.second = torch.nn.Linear(first, second)
        self.last = torch.nn.Linear(second, 1)

    def forward(self, features: torch.Tensor, starts: torch.Tensor) -> torch.Tensor:
        """Return the values of views, in hundreds of points.

        Args:
            features: Numbers of their features, one view after the other.
            starts: Where each view's begin.
        """
        first = torch.relu(self.table(features, starts) + self.table_bias)
        return self.last(torch.relu(self.second(first)))[:, 0]

    def _in_order(self) -> Iterator[torch.Tensor]:
        """Yield the layers as the kernels have them, by input, then by output."""
        yield from (self.table.weight, self.table_bias)
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


class _Kept(PolicyAgent):
    """A network as it was; writing ``weights[:]`` makes it another one."""

    def __init__(self, name: str, weights: npt.NDArray[np.float32]) -> None:
        self.weights = weights.copy()
        super().__init__(name, bound_policy(network_policy, self.weights))


class _Pool:
    """Who else plays: ladder agents, and snapshots whose weights are overwritten in turn."""

    def __init__(self, config: TDConfig, rules: Rules, weights: Any) -> None:
        self.kept = [_Kept(f"kept {k}", weights) for k in range(config.snapshots)]
        ladder = []
        for name in config.opponents:
            agent = agents.make(name)
            agent.reset(rules, config.players, config.seed)
            policy = getattr(agent, "policy", None)
            if policy is None:
                raise RunError(f"opponent {name!r} is not compiled: use one that is")
            ladder.append(policy)
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
        self.adam = torch.optim.Adam(self.net.parameters(), lr=config.learning_rate)
        self.done = 0
        self.weights = self.before = self.net.weights()
        self.judges = [agents.make(name) for name in config.judges]
        for judge in self.judges:  # some know only then whether they are compiled
            judge.reset(self.rules, config.players, config.seed)
        self.judged, self.best = (_Kept(name, self.weights) for name in ("network", "best"))
        self.best_sum = -np.inf
        self.pool = _Pool(config, self.rules, self.weights)
        self.tables = SelfPlay(self.rules, config.players, self.pool.policies)

    @property
    def iterations(self) -> int:
        """Iterations of the whole training."""
        return -(-self.config.rounds // self.config.rounds_at_once)

    def state(self) -> dict[str, Any]:
        """Return all that the rest of the training hangs on."""
        return {
            "net": self.net.state_dict(),
            "adam": self.adam.state_dict(),
            "done": self.done,
            "before": torch.from_numpy(self.before),
            "best": torch.from_numpy(self.best.weights),
            "best_sum": float(self.best_sum),
            "kept": [torch.from_numpy(kept.weights) for kept in self.pool.kept],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.net.load_state_dict(state["net"])
        self.adam.load_state_dict(state["adam"])
        self.done = state["done"]
        self.weights, self.before = self.net.weights(), state["before"].numpy()
        self.best.weights[:] = state["best"].numpy()
        self.best_sum = state["best_sum"]
        for kept, saved in zip(self.pool.kept, state["kept"], strict=True):
            kept.weights[:] = saved.numpy()

    # -- playing -------------------------------------------------------------------------------

    def play(self, iteration: int, weights: npt.NDArray[np.float32]) -> Lessons:
        """Play the rounds of an iteration."""
        config = self.config
        rng = np.random.default_rng([config.seed, 1, iteration])
        games = config.rounds_at_once
        seeds, keys = (rng.integers(2**64, size=games, dtype=np.uint64) for _ in range(2))
        who = self.pool.seating(config, games, rng)
        return self.tables.play(weights, seeds, keys, who, config.trying, config.trace)

    # -- judging -------------------------------------------------------------------------------

    def against(self, other: Agent) -> tuple[float, float]:
        """Return points a round over another one at all other seats, and half of the interval.

        An agent that is not compiled plays a tenth of the deals.
        """
        config = self.config
        is_fast = getattr(other, "policy", None) is not None
        deals = config.deals if is_fast else max(2, config.deals // 10)
        found = margins(self.judged, other, self.rules, config.players, deals, [config.seed, 2])
        return float(found.mean()), float(HALF_WIDTH * found.std(ddof=1) / np.sqrt(deals))

    def judge(self) -> dict[str, float]:
        """Return what the network gains over the judges and over the best network so far.

        One that replies to others alone need not beat itself: then that is left out.
        """
        self.judged.weights[:] = self.weights
        row: dict[str, float] = {}
        for judge in self.judges:
            row[f"over_{judge.name}"], row[f"half_width_{judge.name}"] = self.against(judge)
        if self.config.meets_itself:
            row["over_best"], _ = self.against(self.best)
        return row

    def is_best(self, row: dict[str, float]) -> bool:
        """Keep the network if it gains more over the judges and the best one than that one does."""
        found = sum(row[f"over_{judge.name}"] for judge in self.judges)
        if found + row.get("over_best", 0.0) <= self.best_sum:
            return False
        self.best_sum = found
        self.best.weights[:] = self.weights
        return True

    # -- learning ------------------------------------------------------------------------------

    def learn(self, lessons: Lessons) -> float:
        """Go through the lessons once; returns the mean squared error before each step."""
        config = self.config
        left = 1.0 - self.done / self.iterations
        rate = config.last_rate + (config.learning_rate - config.last_rate) * left**2
        for group in self.adam.param_groups:
            group["lr"] = rate
        order = np.random.default_rng([config.seed, 3, self.done]).permutation(len(lessons.targets))
        losses = []
        for at in range(0, len(order), config.batch):
            rows = order[at : at + config.batch]
            features, starts = _numbers(lessons.features[rows])
            wanted = (lessons.targets[rows] / POINTS).astype(np.float32)
            tensors = (torch.from_numpy(x).to(self.device) for x in (features, starts, wanted))
            features_of, starts_of, wanted_of = tensors
            loss = torch.nn.functional.mse_loss(self.net(features_of, starts_of), wanted_of)
            self.adam.zero_grad()
            loss.backward()
            self.adam.step()
            losses.append(loss.item())
        mean = float(np.mean(losses))
        if not np.isfinite(mean):
            raise RunError(
                f"training diverged in iteration {self.done + 1} (the error is {mean}); the last "
                "good checkpoint is kept. Use a lower learning_rate"
            )
        return mean

    def keep_snapshot(self) -> None:
        """Now and then, let the oldest snapshot be what has been learned; nobody plays now."""
        kept = self.pool.kept
        every = max(1, self.iterations // (4 * max(1, len(kept))))
        if kept and self.done and self.done % every == 0:
            kept[self.done // every % len(kept)].weights[:] = self.weights

    def step(self, lessons: Lessons) -> float:
        """Learn from an iteration's rounds; returns the error."""
        loss = self.learn(lessons)
        self.done += 1
        self.before, self.weights = self.weights, self.net.weights()
        return loss


def _numbers(
    features: npt.NDArray[np.uint8],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the numbers of the features that are set, row after row, and where rows begin."""
    bits = np.unpackbits(features, axis=1, bitorder="little")
    counts = bits.sum(axis=1, dtype=np.int64)
    found = bits.view(np.bool_).ravel().nonzero()[0] % bits.shape[1]
    return found, np.cumsum(counts) - counts


def train(config: TDConfig, out: str | Path, device: str = "cpu", progress: Any = None) -> Path:
    """Train a network; returns the file of the best one.

    A folder that holds a part of the same training is gone on with. There are ``config.json``,
    ``curve.csv``, ``best.safetensors`` (the network that beat the best one before it),
    ``last.safetensors`` and ``checkpoint.pt``.

    Args:
        config: What is trained and how.
        out: Folder for the files.
        device: Torch's device for learning; play is on the processor.
        progress: Called with the rounds played and all rounds, now and then.
    """
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    settings, checkpoint = folder / "config.json", folder / "checkpoint.pt"
    wanted = json.loads(json.dumps(asdict(config)))
    found = json.loads(settings.read_text()) if settings.exists() else wanted
    if found != wanted:
        differ = [name for name, value in wanted.items() if found.get(name) != value]
        raise RunError(f"{str(folder)!r} holds another training: {', '.join(differ)} differ")
    torch.set_num_threads(1)  # the other core plays
    training = _Training(config, device)
    if checkpoint.exists():
        training.restore(torch.load(checkpoint, map_location=device, weights_only=True))
    settings.write_text(json.dumps(wanted, indent=2) + "\n")
    curve = Curve(folder, training.done)
    start = time.perf_counter()
    with ThreadPoolExecutor(1) as player:
        coming = player.submit(training.play, training.done, training.before)
        while training.done < training.iterations:
            lessons = coming.result()
            training.keep_snapshot()
            coming = player.submit(training.play, training.done + 1, training.weights)
            loss = training.step(lessons)
            done = training.done
            if progress is not None:
                progress(min(done * config.rounds_at_once, config.rounds), config.rounds)
            early = done <= EVALUATIONS and done % FIRST_EVALUATIONS == 0
            if not early and done % EVALUATIONS and done < training.iterations:
                continue
            row = {
                "rounds": done * config.rounds_at_once,
                "seconds": time.perf_counter() - start,
                "loss": loss,
                **training.judge(),
            }
            curve.add(done, row)
            if training.is_best(row):
                _network(training, training.best.weights, row).save(folder / "best.safetensors")
            _network(training, training.weights, row).save(folder / "last.safetensors")
            partial = checkpoint.with_suffix(".part")
            torch.save(training.state(), partial)
            partial.replace(checkpoint)
    return folder / "best.safetensors"


def _network(training: _Training, weights: Any, row: dict[str, float]) -> ValueNetwork:
    about = {"kind": "td", **asdict(training.config), **row}
    return ValueNetwork(weights, training.rules, training.config.players, about)
