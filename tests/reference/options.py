"""The options of section 4 of the rules with their defaults, resolved for a number of players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

# Rules 4: what holds when an option is not given. The maps are by number of players or decks.
DEFAULTS: dict[str, Any] = {
    "players": (2, 8),
    "num_decks": "auto",
    "num_jokers": 0,
    "hand_size": {2: 13, 3: 7, 4: 7, 5: 7, 6: 7, 7: 7, 8: 7},
    "first_dealer": "random",
    "dealer_rotation": "left",
    "direction": 1,
    "start_discard": "stock_top",
    "opening_discard_is_turn": True,
    "teams": "none",
    "discard_take": "any_depth",
    "dig_use": "meld_or_layoff",
    "top_discard_free": False,
    "dig_support": "hand_and_dug",
    "dig_layoff_bridge": True,
    "drawn_discard_ban": "auto",
    "stock_draw_count": 1,
    "skip_first_draw": False,
    "set_max_size": 4,
    "set_distinct_suits": False,
    "set_min_len": 3,
    "run_min_len": 3,
    "ace_rank": "high_or_low",
    "max_melds_per_turn": None,
    "first_meld_min": 0,
    "first_meld_scope": "round",
    "layoff_scope": "any",
    "layoff_requires_own_meld": False,
    "out_of_turn_play": "none",
    "call_rum": "none",
    "final_layoff": "none",
    "joker_role": "none",
    "joker_table_value": 15,
    "joker_hand_value": 15,
    "joker_may_duplicate": True,
    "min_naturals": 1,
    "joker_layoff": "free",
    "dealers_joker": False,
    "dealers_joker_effects": ("wild", "double"),
    "must_discard_to_go_out": False,
    "floating": False,
    "stock_exhausted": "end_if_no_take",
    "exhausted_hand_penalty": True,
    "max_reshuffles": 1,
    "no_progress_limit": "auto",
    "card_values": "pip",
    "ace_low_value": 1,
    "ace_high_value": 15,
    "ace_set_value": 15,
    "four_aces_bonus": 0,
    "ace_hand_value": 15,
    "scoring_mode": "meld_minus_hand",
    "michigan_no_winner": "melds_only",
    "go_out_bonus": 0,
    "boot_bonus": 0,
    "four_at_once_multiplier": 1,
    "going_rummy_multiplier": 1,
    "masters_hand_bonus": 0,
    "boodle_pots": False,
    "target_score": 500,
    "max_deals": None,
    "tie_break": "highest",
    "game_bonus": 0,
    "max_turns": None,
    "max_rounds": 1000,
    "clock_budget": None,
    "num_ranks": 13,
    "num_suits": 4,
}


@dataclass(frozen=True)
class Options:
    """All options of a table, each with the one value that holds at this table."""

    players: tuple[int, int]
    num_decks: int
    num_jokers: int
    hand_size: int
    first_dealer: str
    dealer_rotation: str
    direction: int
    start_discard: str
    opening_discard_is_turn: bool
    teams: str
    discard_take: str
    dig_use: str
    top_discard_free: bool
    dig_support: str
    dig_layoff_bridge: bool
    drawn_discard_ban: str
    stock_draw_count: int
    skip_first_draw: bool
    set_max_size: int
    set_distinct_suits: bool
    set_min_len: int
    run_min_len: int
    ace_rank: str
    max_melds_per_turn: int | None
    first_meld_min: int
    first_meld_scope: str
    layoff_scope: str
    layoff_requires_own_meld: bool
    out_of_turn_play: str
    call_rum: str
    final_layoff: str
    joker_role: str
    joker_table_value: int | str
    joker_hand_value: int
    joker_may_duplicate: bool
    min_naturals: int
    joker_layoff: str
    dealers_joker: bool
    dealers_joker_effects: tuple[str, ...]
    must_discard_to_go_out: bool
    floating: bool
    stock_exhausted: str
    exhausted_hand_penalty: bool
    max_reshuffles: int | None
    no_progress_limit: int | None
    card_values: str
    ace_low_value: int
    ace_high_value: int
    ace_set_value: int
    four_aces_bonus: int
    ace_hand_value: int
    scoring_mode: str
    michigan_no_winner: str
    go_out_bonus: int
    boot_bonus: int
    four_at_once_multiplier: int
    going_rummy_multiplier: int
    masters_hand_bonus: int
    boodle_pots: bool
    target_score: int | None
    max_deals: int | None
    tie_break: str
    game_bonus: int
    max_turns: int | None
    max_rounds: int | None
    clock_budget: int | None
    num_ranks: int
    num_suits: int

    @property
    def opening_counts(self) -> bool:
        """Whether a seat must open before it may lay off (rules 4 `first_meld_min`, 9.11).

        Under the scope `on_board` nothing is masked.
        """
        return self.first_meld_min > 0 and self.first_meld_scope != "on_board"

    def side(self, seat: int) -> int:
        """The side of a seat: itself, or with teams 0+2 against 1+3 (rules 4 `teams`)."""
        return seat % 2 if self.teams == "two_by_two" else seat


def _from_map(value: Any, key: int) -> Any:
    """The value for a key, where an option may be a map (its keys may be text)."""
    if isinstance(value, Mapping):
        return {int(name): entry for name, entry in value.items()}[key]
    return value


def resolve(given: Mapping[str, Any], num_players: int) -> Options:
    """The options of a table: those given, the defaults for the rest (rules 4)."""
    unknown = sorted(set(given) - set(DEFAULTS))
    if unknown:
        raise ValueError(f"unknown options: {unknown}")
    values = {**DEFAULTS, **given}
    if values["num_decks"] == "auto":  # rules 2.1: two decks from five players on
        values["num_decks"] = 2 if num_players >= 5 else 1
    values["num_jokers"] = _from_map(values["num_jokers"], values["num_decks"])
    values["hand_size"] = _from_map(values["hand_size"], num_players)
    if values["drawn_discard_ban"] == "auto":  # top_taken when a free take exists, else none
        values["drawn_discard_ban"] = "top_taken" if values["top_discard_free"] else "none"
    if values["no_progress_limit"] == "auto":
        values["no_progress_limit"] = 20 * num_players
    if values["max_turns"] is None and values["stock_exhausted"] in ("reshuffle", "turn_over"):
        values["max_turns"] = 5000  # "None; 5,000 where the stock can refill"
    values["teams"] = values["teams"] or "none"
    values["players"] = tuple(values["players"])
    values["dealers_joker_effects"] = tuple(values["dealers_joker_effects"])
    return Options(**{field.name: values[field.name] for field in fields(Options)})
