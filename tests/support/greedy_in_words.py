"""``greedy`` told again in plain Python, from its description, for the standard layout of runs.

It shares nothing with the compiled one: cards are texts, views are read by their names.
"""

from __future__ import annotations

from collections import Counter

from rummy500_env import Move, PlayerView, Rules

__all__ = ["choose"]

RANKS, SUITS = "A23456789TJQK", "cdhs"

# In points.
LOSS = -5.0  # a dig must gain more than this when there is a stock
LEFT_OVER = 0.3  # what a point left over costs
WEIGHT = 0.1  # what a point of a card's value counts for throwing it
TWIN, NEXT, GAP = 4.0, 3.5, 2.2  # what cards beside a card promise
HELPS = 2.5  # what a card that goes with it costs a card that is thrown


def choose(view: PlayerView, legal: list[Move], rules: Rules) -> str:
    """The text of greedy's move."""
    if view.phase == "draw":
        return _draw(view, legal, rules)
    in_order = sorted(legal, key=lambda move: move.index)
    for kind in ("meld", "layoff"):
        plays = [str(move) for move in in_order if move.startswith(kind)]
        if plays:
            return max(plays, key=lambda text: _play_value(text, rules))  # the first of equal ones
    return _discard(view, [str(move) for move in legal], rules)


def _value(card: str, rules: Rules) -> int:
    """What a card costs in hand."""
    if card[0] == "A":
        return rules.ace_hand_value
    if card[0] in "TJQK":
        return 10
    return int(card[0]) if rules.card_values == "pip" else 5


def _place(card: str) -> int:
    return RANKS.index(card[0])


def _face(card: str) -> int:
    return 13 * SUITS.index(card[1]) + _place(card)


# -- draw -------------------------------------------------------------------------------------


def _draw(view: PlayerView, legal: list[Move], rules: Rules) -> str:
    texts = [str(move) for move in legal]
    best = "draw" if "draw" in texts else "pass"
    best_gain = LOSS if "draw" in texts else 0.0
    accepted = _accepted(view, rules)
    now = _worth(view.hand, accepted, rules)
    pile = view.discard_pile
    for depth in range(1, len(pile) + 1):
        dug = pile[-depth:]
        copies = dug.count(dug[0])
        move = f"dig {dug[0]}" if copies == 1 else f"dig {dug[0]}#{copies}"
        gain = round(_worth(view.hand + dug, accepted, rules) - now, 6)
        if move in texts and gain > best_gain:
            best, best_gain = move, gain
    return best


def _worth(cards: list[str], accepted: set[str], rules: Rules) -> float:
    """What can be laid down, less a share of what is left over."""
    rest = Counter(cards)
    laid = 0
    while meld := _best_meld(rest, rules):
        laid += sum(_value(card, rules) for card in meld)
        rest -= Counter(meld)
    fits = [card for card in rest if card in accepted]
    laid += sum(_value(card, rules) for card in fits)
    rest -= Counter(fits)
    return laid - LEFT_OVER * sum(_value(card, rules) for card in rest.elements())


def _best_meld(cards: Counter[str], rules: Rules) -> list[str]:
    """The most valuable of all sets and of the lowest run of each suit; nothing without one."""
    melds = [[rank + suit for suit in SUITS if rank + suit in cards] for rank in RANKS]
    melds = [meld for meld in melds if len(meld) >= 3]
    for suit in SUITS:
        line = [RANKS[place % 13] + suit for place in range(14)]
        held = [card in cards for card in line]
        start = next((k for k in range(12) if all(held[k : k + 3])), None)
        if start is not None:
            end = start
            while end < 14 and held[end] and end - start < 13:
                end += 1
            melds.append(line[start:end])
    return max(melds, key=lambda meld: sum(_value(c, rules) for c in meld), default=[])


def _accepted(view: PlayerView, rules: Rules) -> set[str]:
    """The cards that the melds on the table take now."""
    cards: set[str] = set()
    for meld in view.melds:
        first, size = meld.cards[0], len(meld.cards)
        if meld.kind == "run":
            low, high = _place(first) - 1, _place(first) + size
            cards |= {RANKS[place % 13] + first[1] for place in (low, high) if 0 <= place <= 13}
        elif size < rules.set_max_size:
            free = [suit for suit in SUITS if first[0] + suit not in meld.cards]
            cards |= {first[0] + suit for suit in (free if rules.set_distinct_suits else SUITS)}
    return cards


# -- play -------------------------------------------------------------------------------------


def _play_value(text: str, rules: Rules) -> int:
    kind, *words = text.split()
    if kind == "layoff":
        return _value(words[0], rules)
    if len(words) > 1:
        return sum(_value(card, rules) for card in words)
    first, last = words[0].split("-")
    end = 13 if last[0] == "A" else _place(last)
    total = sum(_value(RANKS[place % 13] + "c", rules) for place in range(_place(first), end + 1))
    return total + (rules.ace_low_value - rules.ace_hand_value) * (first[0] == "A")


# -- discard ----------------------------------------------------------------------------------


def _discard(view: PlayerView, texts: list[str], rules: Rules) -> str:
    hand = set(view.hand)
    pile = set(view.discard_pile)
    to_come = pile | set(view.unseen)
    following = view.known((view.seat + 1) % view.num_players)
    wanted = pile | set(following)
    best, most = "pass", float("-inf")
    for card in sorted(hand, key=_face):
        if f"discard {card}" not in texts:
            continue
        count = WEIGHT * _value(card, rules) - _promise(card, hand, to_come)
        count -= HELPS * len(_partners(card) & wanted)
        count = round(count, 6)
        if count > most:
            best, most = f"discard {card}", count
    return best


def _partners(card: str) -> set[str]:
    """Cards that go with a card: its rank in other suits, and its suit up to two away."""
    rank, suit = card
    place = RANKS.index(rank)
    around = {RANKS[k % 13] + suit for k in range(max(place - 2, 0), min(place + 2, 13) + 1)}
    return ({rank + other for other in SUITS} | around) - {card}


def _promise(card: str, hand: set[str], to_come: set[str]) -> float:
    """What a card promises with others in hand, while a third card is to be had."""
    rank, suit = card
    twins = [rank + other for other in SUITS if other != suit and rank + other in hand]
    total = TWIN * len(twins) if any(rank + other in to_come for other in SUITS) else 0.0

    def at(place: int, cards: set[str]) -> bool:
        return 0 <= place <= 13 and RANKS[place % 13] + suit in cards

    place = RANKS.index(rank)
    if rank == "A" and "K" + suit in hand:
        place = 13
    for other in (place - 1, place + 1):
        third = at(min(place, other) - 1, to_come) or at(max(place, other) + 1, to_come)
        total += NEXT if at(other, hand) and third else 0.0
    for other in (place - 2, place + 2):
        total += GAP if at(other, hand) and at((place + other) // 2, to_come) else 0.0
    return total
