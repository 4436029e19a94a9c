"""What can be chosen of a training: the saved record, and the options of the command line."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, fields
from typing import Any

__all__ = ["ImitateConfig", "JudgedConfig", "PPOConfig", "TDConfig", "TrainingConfig", "described"]


@dataclass(frozen=True)
class TrainingConfig:
    """What can be chosen of every training; the command line has the same names.

    Attributes:
        rules: Preset of the rules.
        players: Seats at the table.
        seed: Everything follows from it.
        rounds: Rounds to play, all in all.
        rounds_at_once: Rounds of an iteration.
        learning_rate: Adam's, at the start; it falls with the square of what is left to play.
        last_rate: Where it ends.
        batch: Views of a step.
        start: File of a network to start from; empty: none.
    """

    rules: str = "rummy500"
    players: int = 2
    seed: int = 0
    rounds: int = 1_000_000
    rounds_at_once: int = 1000
    learning_rate: float = 1e-3
    last_rate: float = 3e-5
    batch: int = 2048
    start: str = ""

    def __post_init__(self) -> None:
        """Refuse what cannot be, and name it."""
        from rummy500_env.rules import Rules  # noqa: PLC0415 (the command line reads this module)

        for name in ("rounds", "rounds_at_once", "batch"):
            self._check(name, getattr(self, name) >= 1, "1 or more")
        for name in ("learning_rate", "last_rate"):
            self._check(name, 0 < getattr(self, name) < 1, "more than 0 and less than 1")
        self._check("seed", 0 <= self.seed < 2**64, "0 to 2**64 - 1")
        Rules.preset(self.rules).check(self.players)

    @property
    def iterations(self) -> int:
        """Iterations of the whole training."""
        return -(-self.rounds // self.rounds_at_once)

    def rate(self, done: int) -> float:
        """Return the learning rate after so many iterations."""
        left = 1.0 - done / self.iterations
        return self.last_rate + (self.learning_rate - self.last_rate) * left**2

    def _check(self, name: str, is_right: bool, allowed: str) -> None:
        if not is_right:
            from experiments.errors import RunError  # noqa: PLC0415 (see above)

            raise RunError(f"{name}={getattr(self, name)!r} is not allowed: use {allowed}")

    def _check_shares(self, *names: str) -> None:
        for name in names:
            self._check(name, 0 <= getattr(self, name) <= 1, "0 to 1")

    def _check_names(self, name: str) -> None:
        named = getattr(self, name)
        self._check(name, bool(named) and all(named), "names of agents")

    def _check_hidden(self, hidden: int) -> None:
        from agents.policy_network import MAX_HIDDEN  # noqa: PLC0415 (it takes a moment)

        self._check("hidden", 1 <= hidden <= MAX_HIDDEN, f"1 to {MAX_HIDDEN}")


@dataclass(frozen=True)
class JudgedConfig(TrainingConfig):
    """What can be chosen of a training in self-play.

    Attributes:
        judges: Agents that the network is measured against now and then; kept is the one that
            gains most over these and over the best one so far (if it plays with itself at all).
        deals: Deals of that, each played from all seats; agents that search play a tenth of them.
    """

    judges: tuple[str, ...] = ("greedy",)
    deals: int = 1000

    def __post_init__(self) -> None:
        """Refuse what cannot be, and name it."""
        super().__post_init__()
        self._check("deals", self.deals >= 1, "1 or more")
        self._check_names("judges")

    @property
    def meets_itself(self) -> bool:
        """Whether the network plays with itself, as it is or as it was."""
        return True


@dataclass(frozen=True)
class TDConfig(JudgedConfig):
    """What a value network is trained on and how.

    Attributes:
        trace: Lambda of TD(lambda), 0 to 1.
        trying: How often a move is tried out instead of the best one, 0 to 1.
        average: What plays and is kept is a running mean of the weights: how much of it stays in
            each iteration, 0 to less than 1.
        pool: Share of the rounds in which one seat alone is the network's, and the others are a
            ladder agent's or an earlier network's.
        snapshots: Earlier networks that are kept for that.
        opponents: Ladder agents for that.
    """

    batch: int = 512
    trace: float = 0.6
    trying: float = 0.03
    average: float = 0.97
    pool: float = 0.1
    snapshots: int = 4
    opponents: tuple[str, ...] = ("greedy",)

    def __post_init__(self) -> None:
        """Refuse what cannot be, and name it."""
        super().__post_init__()
        self._check_shares("trace", "trying", "pool")
        self._check("average", 0 <= self.average < 1, "0 to less than 1")
        self._check("snapshots", self.snapshots >= 0, "0 or more")
        self._check_names("opponents")

    @property
    def meets_itself(self) -> bool:
        """Whether the network plays with itself, as it is or as it was."""
        return self.pool < 1 or self.snapshots > 0


@dataclass(frozen=True)
class PPOConfig(JudgedConfig):
    """What a policy network is trained on in self-play, and how.

    Attributes:
        hidden: Units of each of the two layers.
        discount: What a reward counts less for each own decision that it comes later, 0 to 1.
        trace: Lambda of the generalized advantage estimation, 0 to 1.
        epochs: How often each iteration's decisions are gone through.
        clip: How far the probability of an action may move in an iteration, as a share.
        entropy: Weight of the policy's entropy in the loss.
        value_weight: Weight of the value's squared error in the loss.
        most_norm: Longest gradient; longer ones are made so long.
        longest: Decisions of all seats after which a round is left as it is.
    """

    rounds: int = 20_000
    rounds_at_once: int = 128
    last_rate: float = 1e-4
    batch: int = 1024
    hidden: int = 128
    discount: float = 1.0
    trace: float = 0.95
    epochs: int = 4
    clip: float = 0.2
    entropy: float = 0.01
    value_weight: float = 0.5
    most_norm: float = 0.5
    longest: int = 2000

    def __post_init__(self) -> None:
        """Refuse what cannot be, and name it."""
        super().__post_init__()
        self._check_shares("discount", "trace")
        self._check_hidden(self.hidden)
        for name in ("epochs", "longest"):
            self._check(name, getattr(self, name) >= 1, "1 or more")
        for name in ("clip", "most_norm"):
            self._check(name, 0 < getattr(self, name) < float("inf"), "more than 0")
        for name in ("entropy", "value_weight"):
            self._check(name, 0 <= getattr(self, name) < float("inf"), "0 or more")


@dataclass(frozen=True)
class ImitateConfig(TrainingConfig):
    """What a network is taught, and by whom.

    Attributes:
        what: What is learned: a policy network (policy), or a value network over views after own
            moves (value).
        teacher: Agent whose games are played and learned from, unless there are records.
        records: Files of records to learn from, again and again until there were so many rounds.
        names: Players of the records whose decisions are learned; empty: all.
        held_out: Rounds that are kept out, for measuring; of records whole games.
        hidden: Units of each of a policy's two layers.
        value_weight: Weight of a policy network's value in the loss.
    """

    rounds: int = 20_000
    rounds_at_once: int = 200
    last_rate: float = 1e-4
    batch: int = 512
    what: str = "policy"
    teacher: str = "greedy"
    records: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    held_out: int = 200
    hidden: int = 128
    value_weight: float = 0.5

    def __post_init__(self) -> None:
        """Refuse what cannot be, and name it."""
        super().__post_init__()
        self._check("what", self.what in ("policy", "value"), "policy or value")
        self._check("held_out", self.held_out >= 1, "1 or more")
        self._check_hidden(self.hidden)
        self._check("value_weight", 0 <= self.value_weight < float("inf"), "0 or more")
        self._check("names", not self.names or bool(self.records), "it with records alone")


def described(config: type[Any]) -> dict[str, str]:
    """Return what a class and those it builds on say of each of its settings, in one line each."""
    text = "\n\n".join(inspect.getdoc(kind) or "" for kind in config.__mro__[:-1])
    found = {}
    for field in fields(config):
        said = re.search(rf"^ +{field.name}: ((?:.|\n(?! {{4}}\w|\n))*)", text, re.MULTILINE)
        if said is None:
            raise ValueError(f"{config.__name__} does not say what {field.name!r} is")
        found[field.name] = " ".join(said[1].split())
    return found
