"""Searches that try everything, to judge what the engine computes cleverly."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from rummy500_env import Game

__all__ = ["dead_ends", "legal_digs"]

RANKS = "A23456789TJQK"
Melds = list[list[str]]


def is_set(cards: tuple[str, ...]) -> bool:
    """Whether three cards are a set; with two decks suits may repeat."""
    return len({card[0] for card in cards}) == 1


def is_run(cards: tuple[str, ...]) -> bool:
    """Whether three cards are a run, the ace low or high."""
    if len({card[1] for card in cards}) > 1:
        return False
    low = sorted(RANKS.index(card[0]) for card in cards)
    high = sorted(rank or 13 for rank in low)
    return any(ranks == list(range(ranks[0], ranks[0] + 3)) for ranks in (low, high))


def after_layoff(meld: list[str], card: str) -> Melds:
    """The melds that a layoff of a card can make of a meld."""
    if len({face[0] for face in meld}) == 1:
        return [[*meld, card]] if len(meld) < 4 and card[0] == meld[0][0] else []
    grown = []
    if card[1] == meld[0][1]:
        last, first = RANKS.index(meld[-1][0]), RANKS.index(meld[0][0])
        if last != 0 and RANKS[(last + 1) % 13] == card[0]:
            grown.append([*meld, card])
        if first != 0 and RANKS[first - 1] == card[0]:
            grown.append([card, *meld])
    return grown


def is_laid_off(melds: Melds, cards: list[str], bridge: list[str], target: str, keep: int) -> bool:
    """Whether a target goes down on a meld, directly or after cards of the bridge on a run."""
    for index, meld in enumerate(melds):
        for card in dict.fromkeys([target, *bridge]):
            for grown in after_layoff(meld, card):
                left = cards.copy()
                left.remove(card)
                if card == target and len(left) >= keep:
                    return True
                if card == target or card[1] != target[1] or len({c[0] for c in meld}) == 1:
                    continue
                held = bridge.copy()
                held.remove(card)
                rest = [*melds[:index], grown, *melds[index + 1 :]]
                if is_laid_off(rest, left, held, target, keep):
                    return True
    return False


def legal_digs(game: Game) -> list[str]:
    """All digs of the seat to move, by trying all melds of three cards and all rows of layoffs."""
    position: dict[str, Any] = game.position()
    rules = game.rules
    pile = position["discard_pile"].split()
    hand = position["hands"][game.current_seat].split()
    melds = [meld["cards"].split() for meld in position["melds"]]
    keep = int(rules.must_discard_to_go_out)
    digs = []
    for index, target in enumerate(pile):
        others = pile[index + 1 :]
        support = hand if rules.dig_support == "hand_only" else hand + others
        cards = [*hand, target, *others]
        usable = len(cards) >= 3 + keep and any(
            is_set((target, *pair)) or is_run((target, *pair)) for pair in combinations(support, 2)
        )
        if not usable and rules.dig_use == "meld_or_layoff":
            bridge = support if rules.dig_layoff_bridge else []
            usable = is_laid_off(melds, cards, bridge, target, keep)
        if usable:
            copy = pile[index:].count(target)
            digs.append(f"dig {target}" if copy == 1 else f"dig {target}#{copy}")
    return sorted(digs)


def dead_ends(game: Game) -> list[list[str]]:
    """The ways through an obligation that get stuck: in none may the mask become empty."""
    stuck = []
    waiting: list[tuple[Game, list[str]]] = [(game, [])]
    while waiting:
        table, path = waiting.pop()
        if not table.is_over and not table.legal_actions():
            stuck.append(path)
        if table.phase == "obliged":
            for move in table.legal_moves():
                after = table.clone()
                after.play(move)
                waiting.append((after, [*path, str(move)]))
    return stuck
