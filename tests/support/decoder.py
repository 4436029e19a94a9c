"""Observations read back into views, written from the meanings of the blocks alone."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rummy500_env import ObservationSpace, Rules
from rummy500_env.engine.jit import allocate
from rummy500_env.view_record import VIEW

__all__ = ["NOT_SHOWN", "decode"]

NOT_SHOWN = {
    "random",
    "table",
    "decision",
    "viewer",  # seats are relative to the observer
    "spare",
    "spare_own",
    # Kept beside the melds, and computed from them.
    "accepted",
    "table_meld",
    "table_kind",
    "table_by",
}
"""Fields of a view that an observation leaves out, or that follow from others."""

SETS = (
    "hand",
    "drawn",
    "banned",
    "dug",
    "laid",
    "out_of_play",
    "refilled",
    "refilled_drawn",
)
"""Sets of cards that are not a seat's, or the observer's own."""

JOKER = 52
Counts = list[int]


class Card(NamedTuple):
    """A card on the table.

    `kind` is 1 in a set, 2 in a run, 3 as a high ace in a run; `place` is known of jokers only,
    whose `face` is what they stand for.
    """

    meld: int
    kind: int
    seat: int
    face: int
    copy: int
    place: int | None = None

    @property
    def is_joker(self) -> bool:
        return self.place is not None


class Decoder:
    """Reads one vector; all seats it finds are turned back by the observer's number."""

    def __init__(
        self, vector: npt.NDArray[np.int8], rules: Rules, num_players: int, viewer: int
    ) -> None:
        self.vector, self.rules, self.n, self.viewer = vector, rules, num_players, viewer
        self.blocks = ObservationSpace(rules, num_players).slices
        self.decks, self.jokers = rules.decks(num_players), rules.jokers(num_players)
        self.faces = 52 + (self.jokers > 0)
        self.copies = 52 * self.decks + self.jokers

    # -- numbers -------------------------------------------------------------------------------

    def block(self, name: str) -> list[int]:
        """The entries of a block; none when the layout has no such block."""
        return self.vector[self.blocks[name]].tolist() if name in self.blocks else []

    def digits(self, name: str) -> list[int]:
        """Numbers in two entries."""
        entries = self.block(name)
        return [128 * high + low for high, low in zip(entries[::2], entries[1::2], strict=True)]

    def planes(self, name: str, size: int) -> list[Counts]:
        """The entries of a block with a plane for each seat."""
        entries = self.block(name)
        return [entries[k * size : (k + 1) * size] for k in range(self.n)]

    def seat(self, relative: int) -> int:
        """The seat at a distance from the observer."""
        return (relative + self.viewer) % self.n

    def by_seat(self, numbers: list[int]) -> list[int]:
        """Numbers in the order of relative seats, put in the order of seats and filled up to 8."""
        row = [0] * 8
        for relative, number in enumerate(numbers):
            row[self.seat(relative)] = number
        return row

    # -- cards ---------------------------------------------------------------------------------

    def words(self, counts: Counts) -> tuple[int, int]:
        """Copies of each face as a pair of words."""
        first = sum(1 << face for face in range(52) if counts[face] > 0)
        second = sum(1 << face for face in range(52) if counts[face] > 1)
        jokers = counts[JOKER] if len(counts) > JOKER else 0
        return first | ((1 << jokers) - 1) << JOKER, second

    def word_rows(self, name: str) -> list[tuple[int, int]]:
        """A block of copies by face for each seat."""
        rows = [(0, 0)] * 8
        for relative, counts in enumerate(self.planes(name, self.faces)):
            rows[self.seat(relative)] = self.words(counts)
        return rows

    def face_of(self, entry: int) -> tuple[int, int]:
        """The face, and which copy of it, of an entry among all copies."""
        if entry >= 52 * self.decks:
            return JOKER, entry - 52 * self.decks
        return entry % 52, entry // 52

    def pile(self) -> list[tuple[int, int]]:
        """The pile bottom to top: face, and 1 + seat that threw it or 0."""
        depths = self.block("pile_depth")
        throwers = self.planes("pile_by", self.copies)
        found = {}
        for entry, depth in enumerate(depths):
            if depth:
                by = [self.seat(rel) + 1 for rel in range(self.n) if throwers[rel][entry]]
                found[depth] = (self.face_of(entry)[0], by[0] if by else 0)
        return [found[depth] for depth in sorted(found, reverse=True)]

    def table(self) -> dict[int, list[Card]]:
        """The cards of the melds by age."""
        ages, kinds = self.block("table_meld"), self.block("table_kind")
        layers = self.planes("table_by", self.copies)
        stand_ins = self.block("table_jokers")
        melds: dict[int, list[Card]] = defaultdict(list)
        for entry, age in enumerate(ages):
            if age:
                seat = next(self.seat(rel) for rel in range(self.n) if layers[rel][entry])
                face, copy = self.face_of(entry)
                place = None
                if face == JOKER:
                    told, place, face = stand_ins[3 * copy : 3 * copy + 3]
                    assert told == age
                    place -= 1
                card = Card(age - 1, kinds[entry], seat, face, copy, place)
                melds[card.meld].append(card)
        return dict(sorted(melds.items()))

    # -- melds ---------------------------------------------------------------------------------

    def kind_of(self, cards: list[Card]) -> int:
        """1 for a set, 2 for a run, 3 for a group of jokers."""
        if any(card.face == JOKER for card in cards):
            return 3
        return 2 if any(card.kind > 1 for card in cards) else 1

    def position_of(self, card: Card) -> int:
        """The position of a natural card in a run that does not go round the corner."""
        return self.rules.num_ranks if card.kind == 3 else card.face % 13

    def ordered(self, cards: list[Card], kind: int, start: int | None) -> list[Card]:
        """The cards in the order of their places: naturals fill what jokers leave."""
        ranks = self.rules.num_ranks

        def order(card: Card) -> tuple[int, int]:
            if kind != 2:
                return card.face, card.copy
            if start is not None:
                return (card.face % 13 - start) % ranks, card.copy
            return self.position_of(card), card.copy

        places: dict[int, Card] = {card.place: card for card in cards if card.place is not None}
        free = (place for place in range(len(cards)) if place not in places)
        naturals = sorted((card for card in cards if not card.is_joker), key=order)
        places.update(zip(free, naturals, strict=False))
        return [places[place] for place in range(len(cards))]

    def start_of(self, cards: list[Card]) -> int:
        """The first position of a run that does not go round the corner."""
        for place, card in enumerate(cards):
            if not card.is_joker:
                return self.position_of(card) - place
        return cards[0].face % 13

    def value_of(self, card: Card, kind: int, place: int) -> int:
        """What a card scores where it lies."""
        rules, rank = self.rules, card.face % 13
        if card.is_joker and isinstance(rules.joker_table_value, int):
            return 0 if rules.dealers_joker else rules.joker_table_value
        if rank == 0:
            if kind == 1:
                return rules.ace_set_value
            high = card.kind == 3 or (card.is_joker and place > 0)
            return rules.ace_high_value if high else rules.ace_low_value
        if rank >= 9:
            return 10
        return rank + 1 if rules.card_values == "pip" else 5

    def write_melds(self, record: Any) -> None:
        """Write all fields of the melds."""
        starts, doubled, owners = (self.block(b) for b in ("run_start", "doubled", "owner"))
        melds = self.table()
        record["num_melds"] = len(melds)
        for meld, found in melds.items():
            kind, size = self.kind_of(found), len(found)
            start = starts[meld] - 1 if kind == 2 and starts else None
            cards = self.ordered(found, kind, start)
            if kind == 2 and start is None:
                start = self.start_of(cards)
            face = cards[0].face
            record["meld_kind"][0, meld] = kind
            record["meld_line"][0, meld] = (0, face % 13, face // 13, 0)[kind]
            record["meld_start"][0, meld] = start or 0
            record["meld_size"][0, meld] = size
            record["meld_faces"][0, meld, :size] = [card.face for card in cards]
            record["meld_by"][0, meld, :size] = [card.seat for card in cards]
            record["meld_values"][0, meld, :size] = [
                self.value_of(card, kind, place) for place, card in enumerate(cards)
            ]
            record["meld_jokers"][0, meld] = sum(
                1 << place for place, card in enumerate(cards) if card.is_joker
            )
            if owners:
                record["meld_owner"][0, meld] = self.seat(owners[meld] - 1)
            if doubled and doubled[meld]:
                record["meld_doubled"][0, meld] = doubled[meld]
                times = 2 ** int(doubled[meld]).bit_count()
                record["meld_values"][0, meld, :size] *= times

    # -- the whole -----------------------------------------------------------------------------

    def read(self) -> npt.NDArray[Any]:
        """Return the view."""
        record = allocate(1, VIEW)
        record["num_players"] = self.n
        for name in SETS:
            counts = self.block(name)
            if name == "hand":
                hand = [0] * (JOKER + 1)
                for entry, held in enumerate(counts):
                    hand[self.face_of(entry)[0]] += held
                counts = hand
            if counts:
                record[name][0] = self.words(counts)
        for name in ("known", "discards"):
            record[name][0] = self.word_rows(name)
        record["passed"][0] = [words[0] for words in self.word_rows("passed")]
        self._write_pile_and_table(record)
        self._write_seats(record)
        self._write_turn(record)
        return record

    def _write_pile_and_table(self, record: Any) -> None:
        pile = self.pile()
        record["pile"][0, : len(pile)] = [face for face, _ in pile]
        record["pile_by"][0, : len(pile)] = [by for _, by in pile]
        record["pile_cards"][0] = self._set_of([face for face, _ in pile])
        self.write_melds(record)
        laid: dict[int, list[int]] = defaultdict(list)
        for cards in self.table().values():
            for card in cards:
                laid[card.seat].append(JOKER if card.is_joker else card.face)
        for seat, faces in laid.items():
            record["table_cards"][0, seat] = self._set_of(faces)

    def _set_of(self, faces: list[int]) -> tuple[int, int]:
        return self.words([faces.count(face) for face in range(JOKER + 1)])

    def _write_seats(self, record: Any) -> None:
        for name in ("scores", "table_points", "turns_taken", "chips", "clocks"):
            record[name][0] = self.by_seat(self.digits(name))
        opened = self.block("opened")
        record["opened"][0] = self.by_seat(opened[: self.n])
        record["opened_game"][0] = self.by_seat(opened[self.n :])
        record["laid_before"][0] = self.by_seat(self.block("laid_before"))
        record["hand_size"][0] = self.by_seat(self.block("hand_sizes"))
        record["unseen_refilled"][0] = self.by_seat(self.block("unseen_refilled"))
        mover = self.block("mover")
        record["seat"] = self.seat(mover.index(1)) if 1 in mover else -1
        record["dealer"] = self.seat(self.block("dealer").index(1))

    def _write_variants(self, record: Any) -> None:
        """Write what binds a seat, windows, and the dealer's joker."""
        record["turn_flags"] = sum(flag << bit for bit, flag in enumerate(self.block("flags")))
        for points in self.digits("opening_points"):
            record["opening_points"] = points
        window = self.block("window")
        if window:
            pending, openers, bonus = window[: self.n], window[self.n : 2 * self.n], window[-2:]
            record["window_pending"] = sum(p << self.seat(rel) for rel, p in enumerate(pending))
            record["window_by"] = 1 + self.seat(openers.index(1)) if 1 in openers else 0
            record["out_bonus"] = 128 * bonus[0] + bonus[1]
        if self.rules.dealers_joker:
            record["joker_effect"], record["joker_state"] = self.block("dealers_joker")

    def _write_turn(self, record: Any) -> None:
        record["stock_size"], record["pile_size"] = self.block("sizes")
        record["phase"] = self.block("phase").index(1)
        must_use = self.block("must_use")
        record["must_use"] = must_use.index(1) + 1 if 1 in must_use else 0
        end = self.block("end")
        record["winners"] = sum(won << self.seat(rel) for rel, won in enumerate(end[: self.n]))
        record["truncated"], record["single_round"] = end[self.n :]
        self._write_variants(record)
        pots = self.digits("pots")
        record["pots"][0, : len(pots)] = pots
        (record["round_index"],) = self.digits("rounds")
        (record["no_progress"],) = self.digits("no_progress")
        record["turns"] = sum(self.digits("turns_taken"))
        top_taken, record["free_take"], record["long_run"] = self.block("turn")
        dug = self.block("dug")
        record["top_taken"] = dug.index(1) + 1 if top_taken else 0
        record["reshuffles"], record["passes"], record["stock_open"] = self.block("stock_state")
        for entry, place in enumerate(self.block("open_stock")):
            if place:
                size = int(record["stock_size"][0])
                record["open_stock"][0, size - place] = self.face_of(entry)[0]


def decode(
    vector: npt.NDArray[np.int8], rules: Rules, num_players: int, viewer: int
) -> npt.NDArray[Any]:
    """Return the view that an observation in its `int8` form was made of."""
    return Decoder(vector, rules, num_players, viewer).read()
