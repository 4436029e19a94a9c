"""A seat that lays cards: what it holds, what lies on the table, and every play of that shape.

Nothing here asks whether a play is allowed at this point of a turn; see `masks`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from tests.reference.cards import JOKER
from tests.reference.melds import (
    Laid,
    Meld,
    NewMeld,
    Place,
    accepted,
    joker_may_stand,
    new_melds,
    table_value,
    values_of,
)
from tests.reference.options import Options


@dataclass(frozen=True)
class Play:
    """One play: a new meld, a layoff, or a block of the dealer's joker.

    `doubled` and `own_named` say that the prefixes `double` and `own` go before it; `own` that
    the dealer's joker is one of its jokers (rules 9.14). `target` is the index of the meld that
    takes a layoff.
    """

    text: str
    uses: Counter[str]
    meld: NewMeld | None = None
    place: Place | None = None
    end: str = ""
    target: int = -1
    doubled: bool = False
    own_named: bool = False
    own: bool = False

    @property
    def lays(self) -> bool:
        """Whether it lays a card on a meld, which a block does not."""
        return self.meld is not None or self.place is not None


@dataclass(frozen=True)
class Laying:
    """A seat that lays cards.

    `must_use` is T while it waits to be placed, `support` the cards that may go down with it
    (None: the whole hand). `points` counts towards the opening. `where` is "turn", "window" or
    "final".
    """

    options: Options
    seat: int
    hand: Counter[str]
    melds: list[Meld]
    opened: bool
    role: str = "none"
    must_use: str | None = None
    support: Counter[str] | None = None
    by_call: bool = False
    banned: Counter[str] = field(default_factory=Counter)
    points: int = 0
    melds_laid: int = 0
    where: str = "turn"
    booting: bool = False
    own_joker: bool = False
    can_block: bool = False

    @property
    def must_open(self) -> bool:
        """Whether the seat has still to open (rules 4 `first_meld_min`)."""
        return self.options.opening_counts and not self.opened

    def after(self, play: Play) -> Laying:
        """The same seat after a play."""
        hand = self.hand - play.uses
        banned = self.banned - play.uses  # rules 9.2: a play uses banned copies first
        melds, points, opened = list(self.melds), self.points, self.opened
        if play.meld is not None:
            meld = lay_new(play, self.seat, self.options)
            melds.append(meld)
            if self.must_open:  # rules 9.11: values as scored, new melds of this turn only
                points += sum(card.value for card in meld.laid)
                opened = points >= self.options.first_meld_min
        elif play.place is not None:
            melds[play.target] = lay_off(melds[play.target], play, self.seat, self.options)
        if play.lays and self.options.first_meld_min == 0:
            opened = True
        support = self.support
        must_use = self.must_use
        if must_use is not None and play.uses[must_use] > 0:
            must_use, support = None, None  # rules 9.2: any copy of T's face discharges
        elif support is not None:
            support = support - play.uses
        return replace(
            self,
            hand=hand,
            melds=melds,
            opened=opened,
            must_use=must_use,
            support=support,
            by_call=self.by_call and must_use is not None,
            banned=banned,
            points=points,
            melds_laid=self.melds_laid + (play.meld is not None),
            own_joker=self.own_joker and not play.own,
            can_block=self.can_block and play.text != "block",
        )


def lay_new(play: Play, seat: int, options: Options) -> Meld:
    """The meld that a play puts on the table."""
    assert play.meld is not None
    values = values_of(play.meld, play.doubled, options)
    laid = tuple(
        Laid(place, seat, value) for place, value in zip(play.meld.places, values, strict=True)
    )
    return Meld(play.meld.kind, laid, seat, play.meld.start, play.doubled)


def lay_off(meld: Meld, play: Play, seat: int, options: Options) -> Meld:
    """The meld after a layoff; later layoffs are never multiplied (edge 40, rules 5.1 line 3)."""
    assert play.place is not None
    value = table_value(play.place, meld.kind, play.end == "high", options)
    return meld.with_card(Laid(play.place, seat, value), play.end)


def with_jokers(play: Play, laying: Laying) -> list[Play]:
    """A play in each way to pay its jokers: held ones first, or the dealer's own first by `own`.

    Rules 9.14: without `own` the held jokers go first, then the own one.
    """
    needed, held = play.uses[JOKER], laying.hand[JOKER]
    others = Counter({face: count for face, count in play.uses.items() if face != JOKER})
    if needed == 0:
        return [play]
    ways = []
    own = max(0, needed - held)
    if own <= laying.own_joker:
        ways.append(replace(play, uses=others + Counter({JOKER: needed - own}), own=own == 1))
    if laying.own_joker and needed - 1 <= held:
        uses = others + Counter({JOKER: needed - 1})
        ways.append(replace(play, uses=uses, own=True, own_named=True))
    return ways


def meld_plays(laying: Laying, with_face: str | None = None) -> list[Play]:
    """Every new meld that the hand can form, doubled too where a joker can pay for it."""
    options = laying.options
    if options.max_melds_per_turn is not None and laying.melds_laid >= options.max_melds_per_turn:
        return []
    cards = laying.hand
    if laying.role == "wild" and laying.own_joker:  # it supports melds and digs (rules 5.1 line 4)
        cards = cards + Counter({JOKER: 1})
    plays = []
    for meld in new_melds(cards, laying.role, laying.melds, options, with_face):
        plays += with_jokers(Play(meld.text, meld.cards(), meld=meld), laying)
        if laying.role == "double":
            uses = meld.cards() + Counter({JOKER: 1})
            plays += with_jokers(Play(meld.text, uses, meld=meld, doubled=True), laying)
    return plays


def may_lay_off(laying: Laying) -> bool:
    """Whether the seat may lay off at all.

    Rules 9.11 and edge 52: not before it has opened; rules 4 `layoff_requires_own_meld`.
    """
    options = laying.options
    if laying.must_open or options.layoff_scope == "none":
        return False
    if options.layoff_requires_own_meld:
        return any(meld.owner == laying.seat for meld in laying.melds)
    return True


def in_scope(meld: Meld, seat: int, options: Options) -> bool:
    """Whether `layoff_scope` lets the seat lay off on this meld (rules 4)."""
    if options.layoff_scope == "own":
        return meld.owner == seat
    if options.layoff_scope == "team":
        return options.side(meld.owner) == options.side(seat)
    return options.layoff_scope == "any"


def open_places(laying: Laying) -> dict[tuple[str, str], int]:
    """Where a face can be laid off, and the meld that takes it.

    Rules 2.3: the oldest one that accepts it at that place and that `layoff_scope` allows.
    """
    places: dict[tuple[str, str], int] = {}
    if not may_lay_off(laying):
        return places
    for index, meld in enumerate(laying.melds):
        if in_scope(meld, laying.seat, laying.options):
            for place in accepted(meld, laying.options):
                places.setdefault(place, index)
    return places


def layoff_plays(laying: Laying) -> list[Play]:
    """Every single card that the hand can lay off somewhere, jokers as each face they may show."""
    options = laying.options
    jokers = laying.hand[JOKER] + laying.own_joker
    plays = []
    for (face, end), target in open_places(laying).items():
        held = laying.hand[face]
        if held:
            joker = face == JOKER
            place = Place(face, joker)
            text = f"layoff {place.text} {end}"
            plays.append(Play(text, Counter({face: 1}), place=place, end=end, target=target))
        if face == JOKER or laying.role != "wild" or not jokers:
            continue
        if held and options.joker_layoff == "natural_first":  # edge 67
            continue
        if joker_may_stand(face, laying.melds, options):
            place = Place(face, joker=True)
            text = f"layoff {place.text} {end}"
            play = Play(text, Counter({JOKER: 1}), place=place, end=end, target=target)
            plays += with_jokers(play, laying)
    return plays


def bridge_plays(laying: Laying) -> list[Play]:
    """Layoffs that begin or continue a bridge to T.

    Rules 9.6: at places strictly between a run's end and T, on a run that T can then reach, all
    places between held (`support`: by what may go down with T). A bridge is made of natural
    cards and leads to a natural T.
    """
    target_face = laying.must_use
    if target_face is None or target_face == JOKER:
        return []
    plays = []
    for play in layoff_plays(laying):
        assert play.place is not None
        if play.place.joker or play.end == "set" or play.uses[target_face]:
            continue
        path = path_to(target_face, laying.melds[play.target], play.end, laying.options)
        if path is None or path[:1] != [play.place.face]:
            continue
        available = laying.hand if laying.support is None else laying.support
        if all(available[face] >= count for face, count in Counter(path).items()):
            plays.append(play)
    return plays


def path_to(face: str, run: Meld, end: str, options: Options) -> list[str] | None:
    """The faces strictly between an end of a run and `face`, from the end on; None if off it."""
    path: list[str] = []
    while True:
        there = [at_face for at_face, at_end in accepted(run, options) if at_end == end]
        if not there:
            return None
        if there[0] == face:
            return path
        path.append(there[0])
        run = run.with_card(Laid(Place(there[0]), -1, 0), end)
