"""``rummy500 train ppo``: a policy network that plays itself, by proximal policy optimization.

Everything from top to bottom, as CleanRL writes it: whole rounds in which one network plays all
seats on the environment's own observations, generalized advantage estimation along the decisions of
each seat (Schulman et al. 2016), the clipped loss (Schulman et al. 2017) over logits of legal
actions alone, Adam.

A seat's decisions are a chain of their own: between two of them the others play, and what that pays
the seat belongs to the earlier one. An iteration begins with new deals, so what is played there
follows from the seed, from its number and the weights; a checkpoint holds all of that, and a
training that was cut goes on to the same curve.
"""

# pyright: reportMissingImports=false
# Torch is in an extra: without it this module is checked as far as that goes.
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from agents.policy_network import PolicyNetwork, entries_of_the_round, policy_move
from experiments.errors import RunError
from experiments.training.config import PPOConfig
from experiments.training.folder import TrainingFolder, check_finite
from experiments.training.judging import Judging
from rummy500_env.actions import action_space
from rummy500_env.envs.selfplay import SelfPlayVector
from rummy500_env.rules import Rules

__all__ = ["Network", "PPOConfig", "advantages", "train"]

Floats = npt.NDArray[np.float32]
ILLEGAL = -1e9
"""Logit of an illegal action: its probability is 0."""


class Network(nn.Module):
    """The network of :class:`~agents.policy_network.PolicyNetwork`, as torch has it.

    Args:
        rules: The rules.
        num_players: Seats at the table.
        hidden: Units of each of the two layers.
    """

    shown: torch.Tensor

    def __init__(self, rules: Rules, num_players: int, hidden: int) -> None:
        super().__init__()
        self.rules, self.num_players, self.hidden = rules, num_players, hidden
        shown = torch.from_numpy(entries_of_the_round(rules, num_players))
        self.register_buffer("shown", shown, persistent=False)
        self.first, self.second = nn.Linear(len(shown), hidden), nn.Linear(hidden, hidden)
        self.logits = nn.Linear(hidden, action_space(rules, num_players).n)
        self.value = nn.Linear(hidden, 1)
        for layer, gain in zip(self._layers(), (2**0.5, 2**0.5, 0.01, 1.0), strict=True):
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)

    def _layers(self) -> tuple[nn.Linear, ...]:
        return self.first, self.second, self.logits, self.value

    def forward(self, seen: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logarithms of the actions' probabilities, and what is still to be earned.

        Args:
            seen: ``(k, size)``: observations.
            masks: ``(k, n)``: 0 where an action is illegal.
        """
        hidden = torch.relu(self.second(torch.relu(self.first(seen * self.shown))))
        logits = self.logits(hidden).masked_fill(masks == 0, ILLEGAL)
        return torch.log_softmax(logits, dim=1), self.value(hidden)[:, 0]

    def _in_order(self) -> Iterator[torch.Tensor]:
        """Yield the layers as the agent has them: by input, the logits by action."""
        for layer in self._layers():
            yield from (layer.weight if layer is self.logits else layer.weight.T, layer.bias)

    def exported(self, about: dict[str, Any]) -> PolicyNetwork:
        """Return the network as files have it.

        Args:
            about: How it was trained.
        """
        with torch.no_grad():
            weights = torch.cat([part.reshape(-1) for part in self._in_order()]).cpu().numpy()
        return PolicyNetwork(weights, self.rules, self.num_players, about, self.hidden)

    def load(self, path: str) -> None:
        """Take over the weights of a file; ``NetworkError`` or ``RunError`` if they do not fit."""
        found = PolicyNetwork.load(path)
        found.check(self.rules, self.num_players)
        if found.hidden != self.hidden:
            raise RunError(f"hidden={self.hidden}, but {path!r} has {found.hidden}: give the same")
        with torch.no_grad():
            for part, values in zip(self._in_order(), found.layers.values(), strict=True):
                part.copy_(torch.from_numpy(values.copy()).reshape(part.shape))


# -- playing -----------------------------------------------------------------------------------


class Rollout(NamedTuple):
    """``N`` decisions, and what became of them.

    Attributes:
        seen: ``float32 (N, size)``.
        masks: ``int8 (N, n)``.
        actions: ``int64 (N,)``.
        chances: ``float32 (N,)``: logarithms of the probabilities that the actions had.
        gains: ``float32 (N,)``: advantages.
        returns: ``float32 (N,)``: what the value should have been.
    """

    seen: Any  # arrays as they are played, tensors as they are learned from
    masks: Any
    actions: Any
    chances: Any
    gains: Any
    returns: Any


def advantages(
    seats: npt.NDArray[np.integer[Any]],
    values: Floats,
    rewards: Floats,
    ends: npt.NDArray[np.bool_],
    discount: float,
    trace: float,
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return the generalized advantage of each decision of ``K`` tables in ``T`` steps.

    The next state of a decision is the same seat's next decision in the episode; all that the seat
    is paid from the one up to the other is the reward. After an episode's end nothing is earned.

    Args:
        seats: ``(T, K)``: who decided.
        values: ``(T, K)``: what it thought it would still earn.
        rewards: ``(T, K, seats)``: what each step paid each seat.
        ends: ``(T, K)``: the step ended the episode.
        discount: What counts of a reward one own decision later.
        trace: Lambda.

    Returns:
        The advantages, ``(T, K)``, and of which decisions they are known: one that neither another
        one of its seat nor an end follows has none.
    """
    steps, tables = seats.shape
    shape, rows = (tables, rewards.shape[2]), np.arange(tables)
    gains, known = np.zeros_like(values), np.zeros((steps, tables), np.bool_)
    # By table and seat: earned since, value and advantage of the next decision; is there one?
    paid, next_value, next_gain = (np.zeros(shape, np.float32) for _ in range(3))
    follows = np.zeros(shape, np.bool_)
    for t in reversed(range(steps)):
        ended = ends[t]
        for carried in (paid, next_value, next_gain):
            carried[ended] = 0
        follows[ended] = True
        paid += rewards[t]
        here = rows, seats[t].astype(np.int64)
        known[t] = follows[here]
        error = paid[here] + discount * next_value[here] - values[t]
        gains[t] = np.where(known[t], error + discount * trace * next_gain[here], 0)
        paid[here], next_value[here], next_gain[here], follows[here] = 0, values[t], gains[t], True
    return gains, known


def play(net: Network, tables: SelfPlayVector, seed: list[int], config: PPOConfig) -> Rollout:
    """Play a round at each table, all seats by the network.

    A round that the rules cut off is scored, and so has ended.

    Args:
        net: The network.
        tables: Where; they begin anew.
        seed: Deals and draws follow from it.
        config: ``discount``, ``trace`` and ``longest`` count.
    """
    rng = np.random.default_rng(seed)
    device = next(net.parameters()).device
    chance = torch.Generator().manual_seed(int(rng.integers(2**63)))
    shown, _ = tables.reset(seed=int(rng.integers(2**63)))
    going = np.ones(tables.num_envs, np.bool_)
    decided, steps = [], []  # a row for each decision; all tables at each step
    while going.any() and len(steps) < config.longest:
        seen, masks = (shown[name][going] for name in ("observation", "action_mask"))
        with torch.no_grad():
            logs, value = net(*(torch.from_numpy(x).to(device) for x in (seen, masks)))
        logs, seats = logs.cpu(), tables.current_seat.copy()
        chosen = torch.multinomial(logs.exp(), 1, generator=chance)
        decided.append((seen, masks, chosen[:, 0].numpy(), logs.gather(1, chosen)[:, 0].numpy()))
        actions, values = shown["action_mask"].argmax(axis=1), np.zeros(len(going), np.float32)
        actions[going], values[going] = chosen[:, 0].numpy(), value.cpu().numpy()
        shown, rewards, ends, cut, _ = tables.step(actions)  # finished tables play on, unread
        steps.append((seats, values, rewards * going[:, None], ends | cut, going.copy()))
        going &= ~(ends | cut)
    by_seat, values, paid, ended, was_going = (np.stack(one) for one in zip(*steps, strict=True))
    gains, known = advantages(by_seat, values, paid, ended, config.discount, config.trace)
    kept, returns = known[was_going], (gains + values)[was_going]
    rows = (*(np.concatenate(x) for x in zip(*decided, strict=True)), gains[was_going], returns)
    return Rollout(*(x[kept] for x in rows))


# -- learning ----------------------------------------------------------------------------------


class _Training:
    """A training in progress; what it hangs on is in :meth:`state`."""

    def __init__(self, config: PPOConfig, device: str) -> None:
        self.config, rules = config, Rules.preset(config.rules)
        torch.manual_seed(config.seed)
        self.net = Network(rules, config.players, config.hidden)
        if config.start:
            self.net.load(config.start)
        self.net.to(device)
        self.adam = torch.optim.Adam(self.net.parameters(), lr=config.learning_rate, eps=1e-5)
        self.done = 0
        self.judging = Judging(config, policy_move, self.network({}).numbers())
        self.tables = SelfPlayVector(
            config.rounds_at_once,
            rules,
            config.players,
            reward="points",
            skip_forced=True,
        )

    def state(self) -> dict[str, Any]:
        """Return all that the rest of the training hangs on."""
        nets = {"net": self.net.state_dict(), "adam": self.adam.state_dict()}
        return {**nets, "done": self.done, **self.judging.state()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.net.load_state_dict(state["net"])
        self.adam.load_state_dict(state["adam"])
        self.done = state["done"]
        self.judging.restore(state)

    def network(self, about: dict[str, Any]) -> PolicyNetwork:
        """Return the network as it is."""
        return self.net.exported({"kind": "ppo", **about})

    def step(self) -> dict[str, float]:
        """Play an iteration's rounds and learn from them; returns figures of it."""
        config = self.config
        played = play(self.net, self.tables, [config.seed, 1, self.done], config)
        if not len(played.actions):
            raise RunError(
                f"no decision to learn from in {config.rounds_at_once} rounds: play more"
            )
        figures = self.learn(played)
        check_finite(
            self.done,
            list(figures.values()),
            *(p.detach().cpu().numpy() for p in self.net.parameters()),
        )
        self.done += 1
        return {"decisions": float(len(played.actions)), **figures}

    def measure(self) -> tuple[dict[str, float], bool]:
        """Return what the network gains over the judges, and whether it is the best so far."""
        return self.judging.judge(self.network({}).numbers())

    def learn(self, played: Rollout) -> dict[str, float]:
        """Go through the decisions some times; returns means over all steps."""
        config = self.config
        for group in self.adam.param_groups:
            group["lr"] = config.rate(self.done)
        rng = np.random.default_rng([config.seed, 3, self.done])
        device = next(self.net.parameters()).device
        told: list[dict[str, float]] = []
        for _ in range(config.epochs):
            order = rng.permutation(len(played.actions))
            for at in range(0, len(order), config.batch):
                rows = order[at : at + config.batch]
                batch = Rollout(*(torch.from_numpy(x[rows]).to(device) for x in played))
                loss, figures = self.loss(batch)
                self.adam.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), config.most_norm)
                self.adam.step()
                told.append({name: figure.item() for name, figure in figures.items()})
        return {name: float(np.mean([one[name] for one in told])) for name in told[0]}

    def loss(self, batch: Any) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """Return the loss of some decisions, and what it is made of."""
        config = self.config
        logs, value = self.net(batch.seen, batch.masks)
        moved = logs.gather(1, batch.actions[:, None])[:, 0] - batch.chances
        ratio = moved.exp()
        gains = (batch.gains - batch.gains.mean()) / (batch.gains.std(correction=0) + 1e-8)
        near = ratio.clamp(1 - config.clip, 1 + config.clip)
        policy_loss = -torch.minimum(ratio * gains, near * gains).mean()
        value_loss = nn.functional.mse_loss(value, batch.returns)
        entropy = -(logs.exp() * logs).sum(dim=1).mean()
        loss = policy_loss + config.value_weight * value_loss - config.entropy * entropy
        return loss, {
            "policy_loss": policy_loss,
            "value_loss": value_loss,
            "entropy": entropy,
            "divergence": ((ratio - 1) - moved).mean(),  # of the new policy from the old (KL)
        }


def train(
    config: PPOConfig,
    out: str | Path,
    device: str = "cpu",
    progress: Any = None,
    keep_all: bool = False,
) -> Path:
    """Train a network; returns the file of the best one.

    Args:
        config: What is trained and how.
        out: Folder for the files; see :class:`~experiments.training.folder.TrainingFolder`.
        device: Torch's device.
        progress: Called with the rounds played and all rounds, after each iteration.
        keep_all: Whether the network of each evaluation is kept.
    """
    folder = TrainingFolder(out, config, device, keep_all)
    torch.set_num_threads(1)  # more are no faster with a network this small
    return folder.train(_Training(config, device), progress)
