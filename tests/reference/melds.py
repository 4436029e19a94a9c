"""Melds: those on the table, and those that a hand could lay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from tests.reference.cards import JOKER, RANKS, SUITS
from tests.reference.options import Options


@dataclass(frozen=True)
class Place:
    """One place of a meld: the face it shows, and whether a joker stands there for it."""

    face: str
    joker: bool = False

    @property
    def card(self) -> str:
        """The card that lies there."""
        return JOKER if self.joker else self.face

    @property
    def text(self) -> str:
        """The place as text: "7h", "**=7h", or "**" in a set of jokers."""
        return f"{JOKER}={self.face}" if self.joker and self.face != JOKER else self.face


@dataclass(frozen=True)
class Laid:
    """A card on the table: its place, the seat that laid it, its value for ever (rules 2.2)."""

    place: Place
    seat: int
    value: int


@dataclass(frozen=True)
class NewMeld:
    """A meld that could be laid: "set", "run" or "jokers"; `start` is the first place of a run.

    The places of a run are 1 for the ace, 2, ... up to the top rank and, above it, the high ace;
    on a corner run they go round (rules 2.2, 9.7).
    """

    kind: str
    places: tuple[Place, ...]
    start: int = 0

    def cards(self) -> Counter[str]:
        """The cards that it takes, counted by face."""
        return Counter(place.card for place in self.places)

    @property
    def text(self) -> str:
        """The move that lays it."""
        faces = [place.face for place in self.places]
        if self.kind == "run":
            return f"meld {faces[0]}-{faces[-1]}"
        return "meld " + " ".join(faces)


@dataclass(frozen=True)
class Meld:
    """A meld on the table. It never moves, splits, merges or changes its type (rules 2.2)."""

    kind: str
    laid: tuple[Laid, ...]
    owner: int
    start: int = 0
    doubled: bool = False

    def with_card(self, card: Laid, end: str) -> Meld:
        """The meld after a layoff at an end: "set", "low" or "high"."""
        if end == "low":
            return replace(self, laid=(card, *self.laid), start=self.start - 1)
        return replace(self, laid=(*self.laid, card))


def rank_at(place: int, options: Options) -> str:
    """The rank at a place of a run; past the top rank comes the ace again (rules 2.2, 9.20)."""
    return RANKS[(place - 1) % options.num_ranks]


def lowest_place(options: Options) -> int:
    """The lowest place of a run that does not go round (rules 4 `ace_rank`, edge 66)."""
    return 2 if options.ace_rank == "high" else 1


def highest_place(options: Options) -> int:
    """The highest place of a run that does not go round (rules 4 `ace_rank`, edge 27)."""
    return options.num_ranks + (options.ace_rank in ("high", "high_or_low"))


def pip_value(rank: str, options: Options) -> int:
    """The value of a card that is no ace and no joker (rules 2.5, `card_values`, edge 44)."""
    if rank in "TJQK":
        return 10
    return 5 if options.card_values == "five_ten_fifteen" else RANKS.index(rank) + 1


def hand_value(card: str, options: Options) -> int:
    """What a card left in hand costs (rules 2.5, edges 31 and 44)."""
    if card == JOKER:
        # A dealer's joker game counts any joker in hand 0 (rules 5.1 line 6, 9.14).
        return 0 if options.dealers_joker else options.joker_hand_value
    if card[0] == "A":
        return options.ace_hand_value
    return pip_value(card[0], options)


def table_value(place: Place, kind: str, has_lower: bool, options: Options) -> int:
    """What a card laid down counts (rules 2.5).

    An ace in a run is high iff its lower neighbour, when it is laid, is the king; in a run any
    lower neighbour of an ace is the king or what plays it (rules 9.7, 9.20, edges 30 and 32).
    """
    if place.joker and options.joker_table_value != "represented":
        # Wild jokers count 0 with the dealer's joker, whatever else is said (rules 9.14).
        return 0 if options.dealers_joker else int(options.joker_table_value)
    if place.face == JOKER:  # in a set of jokers it represents nothing: CHOICE its hand value
        return options.joker_hand_value
    if place.face[0] != "A":
        return pip_value(place.face[0], options)
    if kind == "set":
        return options.ace_set_value
    return options.ace_high_value if has_lower else options.ace_low_value


def values_of(meld: NewMeld, doubled: bool, options: Options) -> list[int]:
    """The values of the cards of a new meld, place by place.

    Rules 4 `four_at_once_multiplier` and edge 40: a set of four laid in one action. Rules 5.1
    line 3: a joker laid over the meld doubles the cards of that action. Both multiply.
    """
    times = 2 if doubled else 1
    if meld.kind != "run" and len(meld.places) == 4:
        times *= options.four_at_once_multiplier
    return [
        times * table_value(place, meld.kind, index > 0, options)
        for index, place in enumerate(meld.places)
    ]


def naturals_on_table(melds: list[Meld]) -> set[str]:
    """The faces of which a natural card lies in some meld."""
    return {card.place.face for meld in melds for card in meld.laid if not card.place.joker}


def joker_may_stand(face: str, melds: list[Meld], options: Options) -> bool:
    """Whether a joker may stand for the face (rules 4 `joker_may_duplicate`, edge 42)."""
    return options.joker_may_duplicate or face not in naturals_on_table(melds)


def _sets_of(rank: str, cards: Counter[str], jokers: int, options: Options) -> Iterator[NewMeld]:
    """Every set of a rank: for each suit none, one or more naturals, or a joker for it.

    Rules 9.7: from `set_min_len` (3) to min(4, `set_max_size`) cards. Rules 9.13: a joker takes
    a missing suit, once, and never stands for a face that is in the hand. Rules 4
    `set_distinct_suits` and edge 37: then each suit at most once.
    """
    largest = min(4, options.set_max_size)
    choices: list[list[tuple[Place, ...]]] = []
    for suit in SUITS[: options.num_suits]:
        face = rank + suit
        held = cards[face]
        most = min(held, 1) if options.set_distinct_suits else held
        choice = [(Place(face),) * count for count in range(min(most, largest) + 1)]
        if held == 0 and jokers > 0:
            choice.append((Place(face, joker=True),))
        choices.append(choice)
    if sum(max(len(entry) for entry in choice) for choice in choices) < options.set_min_len:
        return
    for picked in product(*choices):
        places = tuple(place for entry in picked for place in entry)
        if options.set_min_len <= len(places) <= largest:
            yield NewMeld("set", places)


def _runs_of(suit: str, cards: Counter[str], jokers: int, options: Options) -> Iterator[NewMeld]:
    """Every run of a suit: from each place upwards, naturals where held, else jokers.

    Rules 2.2: an interval on the places; an ace is the lowest or the highest card, or both in
    turn by `ace_rank`. Rules 9.7: at most one card of each rank; a corner run is a start rank
    and a length on the circle of ranks and closes when all ranks are in it.
    """
    ranks = options.num_ranks
    corner = options.ace_rank == "round_the_corner"
    first, last = (1, ranks) if corner else (lowest_place(options), highest_place(options))
    for start in range(first, last + 1):
        places: list[Place] = []
        used = 0
        end = start + ranks - 1 if corner else min(last, start + ranks - 1)
        for place in range(start, end + 1):
            face = rank_at(place, options) + suit
            joker = cards[face] == 0
            used += joker
            if used > jokers:
                break
            places.append(Place(face, joker))
            if len(places) >= options.run_min_len:
                yield NewMeld("run", tuple(places), start)


def _joker_sets(cards: Counter[str], options: Options) -> Iterator[NewMeld]:
    """Sets of three or four jokers (rules 4 `joker_role` set_only, 9.13)."""
    for size in range(3, min(4, options.set_max_size, cards[JOKER]) + 1):
        yield NewMeld("jokers", (Place(JOKER, joker=True),) * size)


def new_melds(
    cards: Counter[str], role: str, table: list[Meld], options: Options, with_face: str | None
) -> list[NewMeld]:
    """Every meld that the cards can form, or only those in which the card `with_face` takes part.

    `role` is what jokers are at the moment: "wild", "set_only", or anything else for no use in
    melds. Rules 4 `min_naturals` and `joker_may_duplicate` bind the wild ones.
    """
    jokers = cards[JOKER] if role == "wild" else 0
    natural = with_face is not None and with_face != JOKER
    ranks = with_face[0] if with_face and natural else RANKS[: options.num_ranks]
    suits = with_face[1] if with_face and natural else SUITS[: options.num_suits]
    found: list[NewMeld] = []
    for rank in ranks:
        found += _sets_of(rank, cards, jokers, options)
    for suit in suits:
        found += _runs_of(suit, cards, jokers, options)
    found = [meld for meld in found if _jokers_allowed(meld, jokers, table, options)]
    if role == "set_only":
        found += _joker_sets(cards, options)
    if with_face is None:
        return found
    return [meld for meld in found if meld.cards()[with_face] > 0]


def _jokers_allowed(meld: NewMeld, jokers: int, table: list[Meld], options: Options) -> bool:
    """Whether a new meld has few enough jokers and these stand where they may."""
    standing = [place.face for place in meld.places if place.joker]
    if len(standing) > jokers:
        return False
    if standing and len(meld.places) - len(standing) < options.min_naturals:
        return False
    return all(joker_may_stand(face, table, options) for face in standing)


def accepted(meld: Meld, options: Options) -> list[tuple[str, str]]:
    """What may be laid off on a meld: pairs of a face and an end (rules 2.2, 9.7, edges 27, 38)."""
    if meld.kind == "jokers":
        return [(JOKER, "set")] if len(meld.laid) < min(4, options.set_max_size) else []
    if meld.kind == "set":
        if len(meld.laid) >= options.set_max_size:
            return []
        rank = meld.laid[0].place.face[0]
        there = {card.place.face[1] for card in meld.laid}
        return [
            (rank + suit, "set")
            for suit in SUITS[: options.num_suits]
            if not (options.set_distinct_suits and suit in there)
        ]
    suit = meld.laid[0].place.face[1]
    below, above = meld.start - 1, meld.start + len(meld.laid)
    if options.ace_rank == "round_the_corner":
        if len(meld.laid) >= options.num_ranks:
            return []
        low, high = True, True
    else:
        low, high = below >= lowest_place(options), above <= highest_place(options)
    ends = []
    if low:
        ends.append((rank_at(below, options) + suit, "low"))
    if high:
        ends.append((rank_at(above, options) + suit, "high"))
    return ends
