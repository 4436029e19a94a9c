"""An action that is refused, with the table as it stands, in terms that reasons are made of."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy.typing as npt

from rummy500_env.actions import ActionSpace, Kind
from rummy500_env.cards import JOKER, text
from rummy500_env.rules import Rules
from rummy500_env.view_reading import bits_of, faces_of
from rummy500_env.view_record import EFFECTS, FLAGS, JOKER_STATES, PHASES

__all__ = ["MELDS", "Refusal"]

MELDS = (Kind.SET, Kind.RUN, Kind.GROUP)


@dataclass(frozen=True, eq=False)
class Refusal:
    """An illegal action of the seat to move.

    Attributes:
        record: Array of tables; the first is the one at hand.
        rules: Its rules.
        space: Its actions.
        action: The action.
    """

    record: npt.NDArray[Any]
    rules: Rules
    space: ActionSpace
    action: int

    def number(self, field: str) -> int:
        """Return a field of the record that is one number."""
        return int(self.record[field][0])

    @cached_property
    def codes(self) -> tuple[int, int, int]:
        """The three parameters of the action."""
        first, second, third = self.space.codes[self.action, 1:].tolist()
        return first, second, third

    @cached_property
    def kind(self) -> Kind:
        """What the action does."""
        return Kind(int(self.space.codes[self.action, 0]))

    @cached_property
    def phase(self) -> str:
        """The phase of the game."""
        return PHASES[self.number("phase")]

    @cached_property
    def seat(self) -> int:
        """The seat to move."""
        return self.number("seat")

    @cached_property
    def flags(self) -> set[str]:
        """What binds the seat to move, words of :data:`FLAGS`."""
        return {FLAGS[bit] for bit in bits_of(self.record["turn_flags"][0])}

    @cached_property
    def hand(self) -> Counter[int]:
        """The faces in the hand of the seat to move."""
        return Counter(faces_of(self.record["hands"][0, self.seat]))

    @cached_property
    def pile(self) -> list[int]:
        """The discard pile, bottom to top."""
        return self.record["pile"][0, : self.number("pile_size")].tolist()

    @property
    def dug(self) -> str:
        """The dug card that waits to be placed."""
        return text(self.number("must_use") - 1)

    # -- the opening ---------------------------------------------------------------------------

    @cached_property
    def must_open(self) -> bool:
        """Whether the seat has still to open."""
        binding = self.rules.first_meld_min > 0 and self.rules.first_meld_scope != "on_board"
        return binding and not self.record["opened"][0, self.seat]

    @property
    def opening_begun(self) -> bool:
        """Whether melds are laid that do not open yet."""
        return self.must_open and self.number("opening_points") > 0

    # -- jokers --------------------------------------------------------------------------------

    @cached_property
    def effect(self) -> str | None:
        """What the dealer has made of all jokers, where he does."""
        return EFFECTS[self.number("joker_effect")]

    @cached_property
    def wild(self) -> bool:
        """Whether jokers stand for other cards."""
        return self.rules.joker_role == "wild" or self.effect == "wild"

    @cached_property
    def own_fault(self) -> str | None:
        """Why the seat may not use the dealer's joker; None if it may."""
        if not self.rules.dealers_joker:
            return "there is none"
        if self.number("dealer") != self.seat:
            return "the joker beside the dealer is for the dealer alone (dealers_joker)"
        if JOKER_STATES[self.number("joker_state")] != "free":
            state = JOKER_STATES[self.number("joker_state")]
            return f"the dealer's joker is {state} already (dealers_joker)"
        if self.phase == "window":
            return "the dealer's joker is used in the dealer's own turn (dealers_joker)"
        if "called" in self.flags:
            return "the called cards are placed without the dealer's joker (call_rum)"
        return None

    @property
    def jokers(self) -> int:
        """Jokers that the seat may use: those of its hand, and the dealer's if it may."""
        return self.hand[JOKER] + (self.own_fault is None)

    # -- the cards of the action ---------------------------------------------------------------

    @cached_property
    def needed(self) -> Counter[int]:
        """The faces that the action names as those of the hand."""
        first, second, third = self.codes
        if self.kind == Kind.SET:
            return Counter({13 * s + first: second >> 2 * s & 3 for s in range(4)})
        if self.kind == Kind.RUN:
            positions = range(second, second + third)
            return Counter(13 * first + p % self.rules.num_ranks for p in positions)
        if self.kind == Kind.GROUP:
            return Counter({JOKER: third})
        if self.kind == Kind.LAYOFF:
            return Counter({JOKER if third else first: 1})
        if self.kind == Kind.BLOCK:
            return Counter({JOKER: 1})
        return Counter({first: 1} if self.kind == Kind.DISCARD else {})

    @cached_property
    def missing(self) -> list[int]:
        """The faces among them that are not in the hand."""
        return sorted((self.needed - self.hand).elements())
