"""The figures of a study, each declared once: name, unit, meaning, and how it follows from sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from experiments.balance.jackknife import Arrays, Estimate, Floats, jackknife
from experiments.balance.luck import SHARES, components
from experiments.balance.sums import MOMENTS, deficits

if TYPE_CHECKING:
    from experiments.balance.variants import Cell

__all__ = ["DUEL", "SELF", "Figure", "documentation", "figure", "measure"]

Make = Callable[[Arrays, "Cell"], Floats]
Labels = Callable[["Cell"], list[str]]


@dataclass(frozen=True)
class Figure:
    """A figure of a variant at so many seats, played by an agent or by a strong against a weak one.

    Attributes:
        name: its name in the tables.
        unit: what it is counted in.
        doc: what it is.
        make: from sums ``(replicates, …)`` and the cell to ``(replicates, numbers)``.
        units: the same for what it is counted by; a deal with none says nothing about it.
        labels: what tells its numbers apart, in the column ``at``; of one number, nothing.
        zero: whether 0 is where nothing is the matter, such as equal chances.
        is_corrected: whether its bias is taken away.
        digits: decimals that are shown.
        percent: whether it is shown times 100.
    """

    name: str
    unit: str
    doc: str
    make: Make
    units: Make
    labels: Labels = lambda _: [""]
    zero: bool = False
    is_corrected: bool = False
    digits: int = 2
    percent: bool = False


def measure(figure: Figure, sums: Arrays, cell: Cell) -> Estimate:
    """Estimate a figure from the sums of its cell."""
    return jackknife(
        sums,
        lambda found: figure.make(found, cell),
        lambda found: figure.units(found, cell),
        figure.is_corrected,
    )


# --- what figures are made of ---------------------------------------------------------------------


def _column(values: Any) -> Floats:
    return values if values.ndim > 1 else values[:, None]


def _sum(name: str) -> Make:
    return lambda sums, _: _column(sums[name])


def _seat_rounds(sums: Arrays, cell: Cell) -> Floats:
    return _column(sums["rounds"] * cell.num_players)


def _ratio(
    name: str,
    unit: str,
    doc: str,
    over: str | Make,
    under: str | Make,
    labels: Labels = lambda _: [""],
    **more: Any,
) -> Figure:
    """Sums over sums."""
    top = _sum(over) if isinstance(over, str) else over
    bottom = _sum(under) if isinstance(under, str) else under

    def make(sums: Arrays, cell: Cell) -> Floats:
        return top(sums, cell) / bottom(sums, cell)

    return Figure(name, unit, doc, make, bottom, labels, **more)


def _places(cell: Cell) -> list[str]:
    return [f"place {place + 1}" for place in range(cell.num_players)]


def _place_advantage(sums: Arrays, cell: Cell) -> Floats:
    """Points of each place less those of the other sides, summed over rounds."""
    score = sums["place_score"]
    side = cell.num_players // cell.num_sides
    whole = score.sum(axis=1, keepdims=True)
    return score - (whole - side * score) / (cell.num_players - side)


def _place_wins(sums: Arrays, cell: Cell) -> Floats:
    """Games won by each place more than its share of all."""
    return sums["place_wins"] - _column(sums["decided"]) / cell.num_sides


def _place_best(sums: Arrays, cell: Cell) -> Floats:
    return sums["place_best"] - _column(sums["rounds"]) / cell.num_sides


def _deviation(sums: Arrays, cell: Cell) -> Floats:
    count = sums["rounds"] * cell.num_players
    mean = sums["score"] / count
    return _column(np.sqrt(np.maximum(sums["score_squared"] / count - mean**2, 0)))


def _from_behind(sums: Arrays, _: Cell) -> Floats:
    return sums["behind_wins"].reshape(len(sums["behind_wins"]), -1)


def _seats_behind(sums: Arrays, _: Cell) -> Floats:
    return sums["behind"].reshape(len(sums["behind"]), -1)


def _standings(cell: Cell) -> list[str]:
    """Labels such as ``half: 25-49 behind`` and ``round 2: leading``."""

    def told(low: int, high: int | None) -> str:
        if high == 0:
            return "leading"
        return f"{low}+ behind" if high is None else f"{low}-{high} behind"

    when = ["half" if moment == "half" else f"round {moment}" for moment in MOMENTS]
    bins = [told(low, high) for low, high in deficits(cell.variant.rules.target_score)]
    return [f"{moment}: {deficit}" for moment in when for deficit in bins]


def _overturned(sums: Arrays, _: Cell) -> Floats:
    return _column(sums["half"] - sums["half_won_by_leader"])


def _share_of_variance(place: int) -> Make:
    def make(sums: Arrays, _: Cell) -> Floats:
        found = components(sums)
        return _column(found[:, place] / found.sum(axis=1))

    return make


def _result_deviation(sums: Arrays, _: Cell) -> Floats:
    return _column(np.sqrt(components(sums).sum(axis=1)))


def _layoffs(sums: Arrays, _: Cell) -> Floats:
    return _column(sums["points_laid_off"])


def _laid(sums: Arrays, _: Cell) -> Floats:
    return _column(sums["points_melded"] + sums["points_laid_off"])


# --- the figures ----------------------------------------------------------------------------------

_PERCENT: Final[dict[str, Any]] = {"percent": True, "digits": 1}

SELF: Final[Sequence[Figure]] = (
    _ratio(
        "rounds_per_game",
        "rounds",
        "rounds of a game; one that was cut off counts with those it had",
        "rounds",
        "games",
        digits=1,
    ),
    _ratio("turns_per_game", "turns", "turns of all seats in a game", "turns", "games", digits=1),
    _ratio(
        "decisions_per_game",
        "decisions",
        "decisions of all seats in a game, also those with one legal action",
        "decisions",
        "games",
        digits=0,
    ),
    _ratio(
        "turns_per_round", "turns", "turns of all seats in a round", "turns", "rounds", digits=1
    ),
    _ratio(
        "decisions_per_round",
        "decisions",
        "decisions of all seats in a round",
        "decisions",
        "rounds",
        digits=1,
    ),
    Figure(
        "undecided_games",
        "share of games",
        "games that a limit (max_rounds, max_turns) cut off, without a winner",
        lambda sums, _: _column(1 - sums["decided"] / sums["games"]),
        _sum("games"),
        **_PERCENT,
    ),
    _ratio(
        "tied_games",
        "share of games",
        "games with several winners (of several sides)",
        "tied",
        "games",
        **_PERCENT,
    ),
    _ratio(
        "final_range",
        "points",
        "highest less lowest total at the end of a decided game",
        "range",
        "decided",
        digits=0,
    ),
    _ratio(
        "starter_points",
        "points a round",
        "score of the seat with the first turn of the round less the mean of the others (between "
        "teams: of the other side)",
        lambda sums, cell: _place_advantage(sums, cell)[:, :1],
        "rounds",
        zero=True,
        digits=1,
    ),
    _ratio(
        "starter_wins",
        "share of games",
        "decided games won by the seat (side) with the first turn of the game, more than its "
        "share of all",
        lambda sums, cell: _place_wins(sums, cell)[:, :1],
        "decided",
        zero=True,
        **_PERCENT,
    ),
    _ratio(
        "place_points",
        "points a round",
        "score of each place less the mean of the others, places in the order of play of the round",
        _place_advantage,
        "rounds",
        _places,
        zero=True,
        digits=1,
    ),
    _ratio(
        "place_round_wins",
        "share of rounds",
        "rounds in which each place scores highest, more than its share of all",
        _place_best,
        "rounds",
        _places,
        zero=True,
        **_PERCENT,
    ),
    _ratio(
        "place_wins",
        "share of games",
        "decided games won by each place, more than its share of all; places in the order of play "
        "of the first round",
        _place_wins,
        "decided",
        _places,
        zero=True,
        **_PERCENT,
    ),
    _ratio("points_per_round", "points", "score of a seat in a round", "score", _seat_rounds),
    Figure(
        "score_deviation",
        "points",
        "standard deviation of the score of a seat in a round",
        _deviation,
        _sum("rounds"),
        digits=1,
    ),
    _ratio(
        "negative_scores",
        "share of scores",
        "scores of a seat in a round that are below 0",
        "negative",
        _seat_rounds,
        **_PERCENT,
    ),
    _ratio(
        "rounds_gone_out",
        "share of rounds",
        "rounds that end because somebody goes out",
        "out",
        "rounds",
        **_PERCENT,
    ),
    _ratio(
        "rounds_exhausted",
        "share of rounds",
        "rounds that end because the stock has run out",
        "exhausted",
        "rounds",
        **_PERCENT,
    ),
    _ratio(
        "rounds_cut_off",
        "share of rounds",
        "rounds that a limit of the rules ends",
        "cut_off",
        "rounds",
        **_PERCENT,
    ),
    _ratio(
        "place_goes_out",
        "share of rounds",
        "rounds in which each place goes out, places in the order of play",
        "place_out",
        "rounds",
        _places,
        **_PERCENT,
    ),
    _ratio("digs_per_round", "digs", "digs of all seats in a round", "digs", "rounds"),
    _ratio("cards_per_dig", "cards", "cards taken by a dig: its depth", "dug_cards", "digs"),
    _ratio(
        "melded_points",
        "points",
        "values of cards that a seat lays in new melds in a round",
        "points_melded",
        _seat_rounds,
        digits=1,
    ),
    _ratio(
        "layoff_points",
        "points",
        "values of cards that a seat lays off in a round",
        "points_laid_off",
        _seat_rounds,
        digits=1,
    ),
    _ratio(
        "layoff_share",
        "share of points",
        "values of cards laid off, of those of all cards laid",
        _layoffs,
        _laid,
        **_PERCENT,
    ),
    _ratio(
        "hand_points",
        "points",
        "values of cards that a seat has left in hand in a round, as far as they are subtracted",
        "hand_penalty",
        _seat_rounds,
        digits=1,
    ),
    _ratio(
        "lead_overturned",
        "share of games",
        "decided games that a seat wins which did not lead when the leader first had half of the "
        "target (where there is no target: when half of the deals had been played)",
        _overturned,
        "half",
        **_PERCENT,
    ),
    _ratio(
        "win_from_behind",
        "chance",
        "chance that a seat wins which is so many points behind the leader at that moment "
        "(half: as above; round 2: after two rounds), in decided games that were not over by then",
        _from_behind,
        _seats_behind,
        _standings,
        **_PERCENT,
    ),
)
"""Figures of an agent with itself."""

DUEL: Final[Sequence[Figure]] = (
    _ratio(
        "strong_points",
        "points a round",
        "score of one strong agent (or side) among weak ones less the mean of theirs",
        "margin",
        "rounds",
        digits=1,
    ),
    _ratio(
        "strong_round_wins",
        "share of rounds",
        "rounds in which it scores highest, more than its share of all",
        lambda sums, cell: sums["best"][:, None] - _column(sums["rounds"]) / cell.num_sides,
        "rounds",
        **_PERCENT,
    ),
    _ratio(
        "strong_wins",
        "share of games",
        "decided games that it wins, more than its share of all",
        lambda sums, cell: sums["wins"][:, None] - _column(sums["decided"]) / cell.num_sides,
        "decided",
        **_PERCENT,
    ),
    *(
        Figure(
            f"{source}_share",
            "share of variance",
            doc,
            _share_of_variance(place),
            _sum("deals"),
            is_corrected=True,
            **_PERCENT,
        )
        for place, (source, doc) in enumerate(
            zip(
                SHARES,
                (
                    "of the variance of a round's result, what the deal explains: luck with the "
                    "cards",
                    "what the place in the order of play explains",
                    "what the agents explain: skill, as far as these two differ in it",
                    "the rest: what becomes of the deal in play",
                ),
                strict=True,
            )
        )
    ),
    Figure(
        "result_deviation",
        "points",
        "standard deviation of a round's result",
        _result_deviation,
        _sum("deals"),
        digits=1,
    ),
)
"""Figures of a strong agent and a weak one."""

_BY_NAME: Final = {one.name: one for one in (*SELF, *DUEL)}


def figure(name: str) -> Figure:
    """The figure of a name."""
    return _BY_NAME[name]


def documentation() -> str:
    """All figures as Markdown."""
    heads = ["| figure | unit | meaning |", "| --- | --- | --- |"]
    parts: list[str] = []
    for title, declared in (
        ("Of an agent with itself", SELF),
        ("Of a strong agent and a weak one", DUEL),
    ):
        rows = [f"| `{one.name}` | {one.unit} | {one.doc} |" for one in declared]
        parts.append("\n".join([f"{title}:", "", *heads, *rows]))
    return "\n\n".join(parts) + "\n"
