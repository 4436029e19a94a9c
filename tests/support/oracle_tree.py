"""The whole tree of a tiny round on the reference engine: slow, plain, and counted by hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from rummy500_env import Rules
from tests.reference import Table
from tests.reference.cards import pack

__all__ = ["OracleTree", "oracle_tree"]


@dataclass
class OracleTree:
    """What a tree of two seats counts, and what uniform random play is worth in it."""

    histories: int = 0
    chance_nodes: int = 0
    decision_nodes: int = 0
    terminals: int = 0
    value: float = 0.0
    kinds: Counter[str] = field(default_factory=Counter)
    seen: set[tuple[Any, ...]] = field(default_factory=set)


def deals(rules: Rules) -> Counter[tuple[str, ...]]:
    """All deals as rows of cards, both hands sorted, then the upcard; how often each occurs."""
    cards = pack(rules.num_ranks, rules.num_suits, rules.decks(2), 0)
    size, places = rules.hand(2), range(len(cards))
    found = Counter[tuple[str, ...]]()
    for first in combinations(places, size):
        left = [k for k in places if k not in first]
        for second in combinations(left, size):
            for upcard in left:
                if upcard not in second:
                    row = (*sorted(first), *sorted(second), upcard)
                    found[tuple(cards[k] for k in row)] += 1
    return found


def oracle_tree(rules: Rules) -> OracleTree:
    """Play every move of every deal."""
    tree, all_deals, size = OracleTree(), deals(rules), rules.hand(2)
    prefixes = {row[:length] for row in all_deals for length in range(len(row))}
    tree.histories = tree.chance_nodes = len(prefixes)
    cards = Counter(pack(rules.num_ranks, rules.num_suits, rules.decks(2), 0))
    options = rules.to_dict(full=False)
    for row, times in all_deals.items():
        stock = cards - Counter(row)
        table = Table.from_position(
            {
                "rules": options,
                "hands": [" ".join(row[:size]), " ".join(row[size : 2 * size])],
                "discard_pile": row[-1],
                "stock": " ".join(stock.elements()),
                "single_round": True,
                "dealer": 1,
            }
        )
        seen = ((row[:size], row[-1]), (row[size : 2 * size], row[-1]))
        _visit(tree, table, seen, times / all_deals.total())
    return tree


def _visit(tree: OracleTree, table: Table, seen: Any, chance: float) -> None:
    tree.histories += 1
    if table.is_over:
        tree.terminals += 1
        scores = table.rounds[0]["scores"]
        tree.value += chance * (scores[0] - scores[1])
        return
    tree.decision_nodes += 1
    seat = table.current_seat
    tree.seen.add((seat, seen[seat]))
    moves = table.legal_moves()
    for move in moves:
        tree.kinds[move.split()[0]] += 1
        told = tuple((*before, (seat, move)) for before in seen)
        share = chance / len(moves)
        if move != "draw":
            after = table.copy()
            after.play(move)
            _visit(tree, after, told, share)
            continue
        tree.histories += 1
        tree.chance_nodes += 1
        stock = Counter(table.state.stock)
        for card, copies in stock.items():
            after = table.copy()
            after.state.stock.remove(card)
            after.state.stock.append(card)
            after.play(move)
            own: list[Any] = [*told]
            own[seat] = (*told[seat], card)
            _visit(tree, after, tuple(own), share * copies / stock.total())
