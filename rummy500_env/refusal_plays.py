"""Why a meld, a layoff, a block or a prefix is refused."""

from __future__ import annotations

from rummy500_env.actions import Kind
from rummy500_env.cards import JOKER, format_cards, text
from rummy500_env.refusal import Refusal
from rummy500_env.refusal_limits import limits
from rummy500_env.view_record import JOKER_STATES

__all__ = ["UNKNOWN", "play_reason"]

UNKNOWN = "the rules do not allow it here"
"""What is said when no reason is found; there is always one."""


def play_reason(refused: Refusal) -> str:
    """Return why a play, or a prefix of one, is illegal in a phase that has plays."""
    if refused.kind == Kind.PREFIX:
        said = refused.space.to_text(refused.action)
        reason = refused.own_fault if said == "own" else _double_reason(refused)
        return reason or limits(refused) or _nothing_to(refused, said)
    if refused.kind == Kind.BLOCK:
        return _block_reason(refused) or limits(refused) or UNKNOWN
    if refused.kind == Kind.LAYOFF:
        return _layoff_reason(refused) or limits(refused) or _no_place(refused)
    reason = _shape_reason(refused) or _cards_reason(refused) or limits(refused)
    return reason or _joker_reason(refused)


# -- new melds -------------------------------------------------------------------------------


def _shape_reason(refused: Refusal) -> str | None:
    """Return why these rules never have such a meld."""
    rules, size = refused.rules, refused.codes[2]
    if refused.kind == Kind.RUN:
        if rules.run_min_len <= size <= rules.num_ranks and _has_positions(refused):
            return None
        return (
            f"these rules do not have such a run (ace_rank={rules.ace_rank!r}, "
            f"run_min_len={rules.run_min_len})"
        )
    least = 3 if refused.kind == Kind.GROUP else rules.set_min_len
    if least <= size <= max(least, rules.set_max_size):
        return None
    return (
        f"these rules do not have such a set (set_min_len={rules.set_min_len}, "
        f"set_max_size={rules.set_max_size})"
    )


def _has_positions(refused: Refusal) -> bool:
    """Return whether a run stands where aces allow."""
    rules, (_, start, size) = refused.rules, refused.codes
    if rules.ace_rank == "round_the_corner":
        return start < rules.num_ranks
    low = 1 if rules.ace_rank == "high" else 0
    return low <= start and start + size - 1 <= rules.num_ranks - (rules.ace_rank == "low")


def _cards_reason(refused: Refusal) -> str | None:
    """Return which cards are lacking, if jokers cannot stand for them."""
    missing = refused.missing
    if missing and (JOKER in missing or not refused.wild or len(missing) > refused.jokers):
        return _lacks(refused)
    if "double" in refused.flags and refused.jokers == 0:
        return "a joker is needed to double a meld (dealers_joker)"
    return None


def _joker_reason(refused: Refusal) -> str:
    """Return why jokers cannot stand for the cards that are lacking."""
    if not refused.missing:
        return UNKNOWN
    cards = format_cards(refused.missing)
    rules, strange = refused.rules, [f for f in refused.missing if not _in_deck(refused, f)]
    if strange:
        ranks, suits = rules.num_ranks, rules.num_suits
        return f"the deck has no {format_cards(strange)} (num_ranks={ranks}, num_suits={suits})"
    if refused.kind == Kind.SET:
        return f"in a new set a joker takes a suit that the set lacks, so none can be {cards}"
    return f"jokers may not stand for {cards} here"


def _in_deck(refused: Refusal, face: int) -> bool:
    rules = refused.rules
    return face // 13 < rules.num_suits and face % 13 < rules.num_ranks


def _lacks(refused: Refusal) -> str:
    return f"the hand lacks {format_cards(refused.missing)}"


# -- layoffs ---------------------------------------------------------------------------------


def _layoff_reason(refused: Refusal) -> str | None:
    """Return why a card cannot be laid off anywhere."""
    face, _, joker = refused.codes
    if joker and face != JOKER:
        if not refused.wild:
            return "jokers double melds in this round and stand for no card (dealers_joker)"
        if refused.jokers == 0:
            return _lacks(refused)
    elif refused.missing:
        return _lacks(refused)
    if refused.must_open:
        least = refused.rules.first_meld_min
        return f"layoffs are barred until the opening of {least} points (first_meld_min)"
    return None


def _no_place(refused: Refusal) -> str:
    face, _, joker = refused.codes
    if joker and face != JOKER and not _in_deck(refused, face):
        return f"the deck has no {text(face)} (num_ranks, num_suits)"
    return "no meld takes the card at that place (layoff)"


# -- the dealer's joker ----------------------------------------------------------------------


def _block_reason(refused: Refusal) -> str | None:
    if refused.number("dealer") == refused.seat:
        return "the dealer does not block the own joker (dealers_joker)"
    state = JOKER_STATES[refused.number("joker_state")]
    if state != "free":
        return f"the dealer's joker is {state} already (dealers_joker)"
    if refused.phase != "play":
        return "the dealer's joker is blocked in one's own turn (dealers_joker)"
    return _lacks(refused) if refused.missing else None


def _double_reason(refused: Refusal) -> str | None:
    if refused.effect != "double":
        return "jokers are wild in this round and double nothing (dealers_joker)"
    if refused.jokers == 0:
        return "a joker is needed to double a meld (dealers_joker)"
    return None


def _nothing_to(refused: Refusal, said: str) -> str:
    if said == "own":
        return "no move could use the dealer's joker now (dealers_joker)"
    return "no new meld could be laid that scores twice (dealers_joker)"
