"""Which combinations of options contradict each other, and which tables cannot be dealt.

Rules are refused when no table could play them; a table is refused (`table_problems`) when its
number of players does not suit rules that others could play. An option that merely has no effect
beside the others is not refused.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, Final

from rummy500_env.options_play import HAND_SIZE, NUM_JOKERS
from rummy500_env.options_score import RuleOptions

__all__ = [
    "CHECKS",
    "MAX_MELDS",
    "Check",
    "combination_problems",
    "decks",
    "hand",
    "jokers",
    "max_turns",
    "pack_size",
    "refills",
    "shown",
    "table_problems",
]

DEFAULT_MAX_TURNS: Final = 5_000

MAX_MELDS: Final = 36
"""Melds that a table has room for: two decks and four jokers in threes."""


def decks(rules: RuleOptions, num_players: int) -> int:
    """Decks at a table of so many."""
    if rules.num_decks == "auto":
        return 2 if num_players >= 5 else 1
    return rules.num_decks


def hand(rules: RuleOptions, num_players: int) -> int | None:
    """Cards dealt to each at a table of so many; None if the rules do not say."""
    return HAND_SIZE.at(rules.hand_size, num_players)


def jokers(rules: RuleOptions, num_players: int) -> int | None:
    """Jokers at a table of so many; None if the rules do not say."""
    return NUM_JOKERS.at(rules.num_jokers, decks(rules, num_players))


def pack_size(rules: RuleOptions, num_players: int) -> int:
    """Cards that are shuffled and dealt; the dealer's joker, which lies apart, is not counted."""
    plain = rules.num_ranks * rules.num_suits * decks(rules, num_players)
    return plain + (jokers(rules, num_players) or 0) - (1 if rules.dealers_joker else 0)


def refills(rules: RuleOptions) -> bool:
    """Whether the discards can become the stock again."""
    return rules.stock_exhausted in ("reshuffle", "turn_over") and rules.max_reshuffles != 0


def max_turns(rules: RuleOptions) -> int | None:
    """The cap on the turns of a round with "auto" resolved."""
    if rules.max_turns == "auto":
        return DEFAULT_MAX_TURNS if refills(rules) else None
    return rules.max_turns


def _deal_problem(rules: RuleOptions, num_players: int) -> str | None:
    """Why so many cannot be dealt to, if they cannot."""
    each = hand(rules, num_players)
    if each is None:
        return f"hand_size says nothing for {num_players} players"
    if jokers(rules, num_players) is None:
        return f"num_jokers says nothing for {decks(rules, num_players)} deck(s)"
    extra = 1 if rules.start_discard == "player_choice" else 0
    dealt = num_players * each + extra + 1
    pack = pack_size(rules, num_players)
    if dealt < pack:
        return None
    more = " and one to choose from" if extra else ""
    return (
        f"{num_players} players with {each} cards each (hand_size){more} and the first discard "
        f"take {dealt} of the {pack} cards (num_decks, num_jokers), which leaves no stock; "
        f"at most {(pack - 2 - extra) // num_players} each can be dealt"
    )


def table_problems(rules: RuleOptions, num_players: object) -> list[str]:
    """Why a table of so many cannot play these rules; empty if it can."""
    if isinstance(num_players, bool) or not hasattr(num_players, "__index__"):
        return [f"num_players={num_players!r} is not allowed: a whole number is needed"]
    number = int(num_players)  # type: ignore[call-overload]
    low, high = rules.players
    if not low <= number <= high:
        return [f"num_players={number}: these rules are for {_from_to(low, high)} (players)"]
    problems: list[str] = []
    if rules.teams != "none" and number != 4:
        problems.append(f"num_players={number}: teams={rules.teams!r} needs 4 players")
    if rules.dealers_joker and decks(rules, number) == 2:
        problems.append(
            f"num_players={number}: dealers_joker=True needs one deck, and num_decks="
            f"{rules.num_decks!r} gives two; use num_decks=1"
        )
    shortest = min(rules.set_min_len, rules.run_min_len)
    cards = pack_size(rules, number) + rules.dealers_joker
    if cards // shortest > MAX_MELDS:
        problems.append(
            f"num_players={number}: {cards} cards in melds of {shortest} (set_min_len, "
            f"run_min_len) could be {cards // shortest} melds, and a table has room for "
            f"{MAX_MELDS}; use 3 for both, or one deck"
        )
    dealing = _deal_problem(rules, number)
    if dealing is not None:
        problems.append(dealing)
    return problems


def _from_to(low: int, high: int) -> str:
    return f"{low} players" if low == high else f"{low} to {high} players"


@dataclass(frozen=True, slots=True)
class Check:
    """One combination of options that is refused, and why."""

    options: tuple[str, ...]
    refused: Callable[[Any], bool]
    reason: str


def _fewest_jokers(rules: RuleOptions) -> int:
    given = rules.num_jokers
    return given if isinstance(given, int) else min(number for _, number in _steps(given))


def _most_jokers(rules: RuleOptions) -> int:
    given = rules.num_jokers
    return given if isinstance(given, int) else max(number for _, number in _steps(given))


def _steps(value: Any) -> tuple[tuple[int, int], ...]:
    return value  # a map is stored as pairs


def _endless_takes(rules: RuleOptions) -> bool:
    return rules.top_discard_free and rules.no_progress_limit is None and max_turns(rules) is None


def _nobody_fits(rules: RuleOptions) -> bool:
    low, high = rules.players
    return all(_deal_problem(rules, number) is not None for number in range(low, high + 1))


def _always_two_decks(rules: RuleOptions) -> bool:
    return decks(rules, rules.players[0]) == 2


CHECKS: Final[tuple[Check, ...]] = (
    Check(
        ("target_score", "max_deals"),
        lambda r: r.target_score is None and r.max_deals is None,
        "a game must end; give at least one of them a number",
    ),
    Check(
        ("max_rounds", "max_deals"),
        lambda r: None not in (r.max_rounds, r.max_deals) and r.max_rounds < r.max_deals,
        "the game would be broken off before its last deal; max_rounds must not be below max_deals",
    ),
    Check(
        ("players", "hand_size", "num_decks", "num_jokers", "start_discard"),
        _nobody_fits,
        "no allowed number of players can be dealt hands, a first discard and a stock; deal fewer "
        "cards, allow fewer players, or let maps begin at smaller tables",
    ),
    # --- teams ---------------------------------------------------------------------------------
    Check(
        ("teams", "players"),
        lambda r: r.teams != "none" and not r.players[0] <= 4 <= r.players[1],
        "two sides of two are four players; players must include 4",
    ),
    Check(
        ("teams", "scoring_mode"),
        lambda r: r.teams != "none" and r.scoring_mode != "meld_minus_hand",
        "sides are scored by scoring_mode='meld_minus_hand' only",
    ),
    Check(
        ("teams", "boodle_pots"),
        lambda r: r.teams != "none" and r.boodle_pots,
        "the pots are for single players; one of the two must go",
    ),
    Check(
        ("teams", "dealer_rotation"),
        lambda r: r.teams != "none" and r.dealer_rotation != "left",
        "with sides the deal passes to the left; use dealer_rotation='left'",
    ),
    Check(
        ("teams", "clock_budget"),
        lambda r: r.teams != "none" and r.clock_budget is not None,
        "clocks are for single players; use clock_budget=None",
    ),
    Check(
        ("layoff_scope", "teams"),
        lambda r: r.layoff_scope == "team" and r.teams == "none",
        "there are no sides; use layoff_scope='own' or teams='two_by_two'",
    ),
    # --- jokers --------------------------------------------------------------------------------
    Check(
        ("num_jokers", "joker_role"),
        lambda r: r.joker_role == "none" and _most_jokers(r) > 0,
        "jokers in the pack need a role; use joker_role='wild', 'set_only' or 'nominated'",
    ),
    Check(
        ("joker_role", "num_jokers"),
        lambda r: r.joker_role == "set_only" and _fewest_jokers(r) < 3,
        "a set of jokers takes three; use num_jokers of 3 or 4",
    ),
    Check(
        ("joker_role", "joker_table_value"),
        lambda r: r.joker_role == "set_only" and r.joker_table_value == "represented",
        "jokers in sets of their own stand for no card; give joker_table_value a number",
    ),
    Check(
        ("dealers_joker", "joker_role"),
        lambda r: r.dealers_joker != (r.joker_role == "nominated"),
        "the dealer's joker and joker_role='nominated' belong together",
    ),
    Check(
        ("dealers_joker", "num_jokers"),
        lambda r: r.dealers_joker and _fewest_jokers(r) < 2,
        "one joker lies beside the dealer and one or more are dealt; use num_jokers of 2 to 4",
    ),
    Check(
        ("dealers_joker", "num_decks", "players"),
        lambda r: r.dealers_joker and _always_two_decks(r),
        "the dealer's joker is played with one deck; use num_decks=1",
    ),
    Check(
        ("dealers_joker", "start_discard"),
        lambda r: r.dealers_joker and r.start_discard == "player_choice",
        "not defined together; use start_discard='stock_top'",
    ),
    # --- melds and layoffs ---------------------------------------------------------------------
    Check(
        ("set_min_len", "set_max_size"),
        lambda r: r.set_max_size < r.set_min_len,
        "a set would be too large when laid; set_max_size must not be below set_min_len",
    ),
    Check(
        ("set_distinct_suits", "set_max_size", "num_suits"),
        lambda r: r.set_distinct_suits and r.set_max_size > r.num_suits,
        "with different suits a set has at most num_suits cards; lower set_max_size",
    ),
    Check(
        ("run_min_len", "num_ranks"),
        lambda r: r.run_min_len > r.num_ranks,
        "no run could be laid; run_min_len must not be above num_ranks",
    ),
    Check(
        ("skip_first_draw", "start_discard"),
        lambda r: r.skip_first_draw and r.start_discard == "player_choice",
        "not defined together; use start_discard='stock_top'",
    ),
    Check(
        ("skip_first_draw", "first_meld_min"),
        lambda r: r.skip_first_draw and r.first_meld_min > 0,
        "not defined together; use first_meld_min=0",
    ),
    Check(
        ("layoff_scope", "call_rum"),
        lambda r: r.layoff_scope == "none" and r.call_rum != "none",
        "a called card is laid off; use another layoff_scope or call_rum='none'",
    ),
    Check(
        ("layoff_scope", "final_layoff"),
        lambda r: r.layoff_scope == "none" and r.final_layoff != "none",
        "nothing could be laid off; use another layoff_scope or final_layoff='none'",
    ),
    Check(
        ("layoff_scope", "out_of_turn_play"),
        lambda r: r.layoff_scope == "none" and r.out_of_turn_play == "layoff",
        "nothing could be laid off; use out_of_turn_play='none' or 'meld_and_layoff'",
    ),
    Check(
        ("call_rum", "out_of_turn_play"),
        lambda r: r.call_rum != "none" and r.out_of_turn_play != "none",
        "both ask the others after a discard; one of them must be 'none'",
    ),
    Check(
        ("call_rum", "discard_take"),
        lambda r: r.call_rum == "pile_and_turn" and r.discard_take == "top_only",
        "such a call takes discards from any depth; use discard_take='any_depth' or "
        "call_rum='card_only'",
    ),
    # --- ending --------------------------------------------------------------------------------
    Check(
        ("floating", "must_discard_to_go_out"),
        lambda r: r.floating and not r.must_discard_to_go_out,
        "a player floats only where he must discard to go out; use must_discard_to_go_out=True",
    ),
    Check(
        ("floating", "stock_exhausted"),
        lambda r: r.floating and r.stock_exhausted == "discard_only",
        "a player without cards could never go out; use another stock_exhausted",
    ),
    Check(
        ("floating", "out_of_turn_play"),
        lambda r: r.floating and r.out_of_turn_play != "none",
        "not defined together; use out_of_turn_play='none'",
    ),
    Check(
        ("floating", "final_layoff"),
        lambda r: r.floating and r.final_layoff != "none",
        "not defined together; use final_layoff='none'",
    ),
    Check(
        ("floating", "scoring_mode"),
        lambda r: r.floating and r.scoring_mode == "winner_takes_hands",
        "not defined together; use another scoring_mode",
    ),
    Check(
        ("top_discard_free", "no_progress_limit", "max_turns"),
        _endless_takes,
        "players could take and discard the same cards for ever; give one of the limits a number",
    ),
    Check(
        ("stock_exhausted", "max_turns"),
        lambda r: refills(r) and max_turns(r) is None,
        "a stock that is refilled needs a cap on turns; give max_turns a number or 'auto'",
    ),
    # --- scoring -------------------------------------------------------------------------------
    Check(
        ("michigan_no_winner", "exhausted_hand_penalty"),
        lambda r: r.michigan_no_winner == "deduct_own" and not r.exhausted_hand_penalty,
        "one deducts hands when nobody went out, the other does not; change one of them",
    ),
    Check(
        ("going_rummy_multiplier", "scoring_mode"),
        lambda r: r.going_rummy_multiplier != 1 and r.scoring_mode != "winner_takes_hands",
        "only defined with scoring_mode='winner_takes_hands'; else use 1",
    ),
    Check(
        ("four_aces_bonus", "num_suits"),
        lambda r: r.four_aces_bonus > 0 and r.num_suits < 4,
        "there are no four aces of different suits; use four_aces_bonus=0",
    ),
    Check(
        ("masters_hand_bonus", "num_ranks"),
        lambda r: r.masters_hand_bonus > 0 and r.num_ranks < 7,
        "there is no run of seven; use masters_hand_bonus=0",
    ),
    Check(
        ("boodle_pots", "num_ranks", "num_suits"),
        lambda r: r.boodle_pots and (r.num_ranks < 13 or r.num_suits < 4),
        "the pots need A♥, K♣, Q♦ and J♠ in the deck; use boodle_pots=False",
    ),
)


def combination_problems(rules: RuleOptions, skip: Collection[str] = ()) -> Iterator[str]:
    """The contradictions in some rules; options in `skip` are taken as not given at all."""
    for check in CHECKS:
        if any(name in skip for name in check.options) or not check.refused(rules):
            continue
        named = ", ".join(f"{name}={shown(getattr(rules, name))}" for name in check.options)
        yield f"{named}: {check.reason}"


def shown(value: Any) -> str:
    """A stored value as one would write it: maps as maps."""
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return repr(dict(value))
    return repr(value)
