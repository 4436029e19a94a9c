"""Random rules: any combination of all options."""

from __future__ import annotations

import random
from typing import Any

from rummy500_env import Rules, RulesError

__all__ = ["random_rules"]

CHOICES: dict[str, list[Any]] = {
    "num_decks": [1, 2],
    "hand_size": [3, 5, 10],
    "start_discard": ["player_choice"],
    "opening_discard_is_turn": [False],
    "teams": ["two_by_two"],
    "dealer_rotation": ["winner", "loser"],
    "direction": [-1],
    "discard_take": ["top_only"],
    "dig_use": ["new_meld"],
    "top_discard_free": [True],
    "dig_support": ["hand_only"],
    "dig_layoff_bridge": [False],
    "drawn_discard_ban": ["none", "top_taken", "dug_all", "all_drawn"],
    "stock_draw_count": [2],
    "skip_first_draw": [True],
    "set_min_len": [2],
    "set_max_size": [3, 5, 8],
    "set_distinct_suits": [True],
    "run_min_len": [2, 4],
    "ace_rank": ["low", "high", "round_the_corner"],
    "first_meld_min": [10, 30, 45],
    "first_meld_scope": ["game", "on_board"],
    "layoff_scope": ["own", "team", "none"],
    "out_of_turn_play": ["layoff", "meld_and_layoff"],
    "call_rum": ["card_only", "pile_and_turn"],
    "final_layoff": ["any_meld"],
    "must_discard_to_go_out": [True],
    "floating": [True],
    "stock_exhausted": [
        "end_if_all_pass",
        "end_after_turn",
        "discard_only",
        "reshuffle",
        "turn_over",
    ],
    "exhausted_hand_penalty": [False],
    "max_reshuffles": [None, 2],
    "no_progress_limit": [3, None],
    "card_values": ["five_ten_fifteen"],
    "ace_low_value": [5, 15],
    "ace_high_value": [25],
    "ace_set_value": [1],
    "ace_hand_value": [5],
    "four_aces_bonus": [40],
    "scoring_mode": ["winner_takes_hands", "michigan"],
    "michigan_no_winner": ["deduct_own", "lowest_hand_collects"],
    "go_out_bonus": [25],
    "boot_bonus": [25],
    "four_at_once_multiplier": [2],
    "going_rummy_multiplier": [2],
    "target_score": [50, None],
    "max_deals": [2],
    "tie_break": ["went_out"],
    "game_bonus": [50],
    "max_turns": [9, 60],
    "max_rounds": [2],
    "num_ranks": [5, 8],
    "num_suits": [2, 3],
    "masters_hand_bonus": [500],
    "boodle_pots": [True],
    "clock_budget": [40, 500],
    "joker_table_value": [0, 20, "represented"],
    "joker_hand_value": [20],
    "joker_may_duplicate": [False],
    "min_naturals": [0, 2],
    "joker_layoff": ["natural_first"],
    "dealers_joker": [True],
}
"""Values other than the default."""

ALONG: dict[str, dict[str, Any]] = {
    "opening_discard_is_turn": {"start_discard": "player_choice"},
    "first_meld_scope": {"first_meld_min": 30},
    "floating": {"must_discard_to_go_out": True},
    "boot_bonus": {"skip_first_draw": True},
    "dealers_joker": {"num_decks": 1, "joker_role": "nominated", "num_jokers": 3},
}
"""What an option needs to be more than words."""


def random_rules(chooser: random.Random) -> tuple[Rules, int]:
    """Return rules that change up to six options, and a number of players for them."""
    while True:
        num_players = chooser.choice((2, 2, 2, 3, 3, 4, 5, 6))
        names = chooser.sample(sorted(CHOICES), chooser.randint(1, 6))
        options = {name: chooser.choice(CHOICES[name]) for name in names}
        if options.keys() & {"num_ranks", "num_suits", "skip_first_draw"}:
            options["hand_size"] = chooser.randint(2, 5)
        if any("joker" in name or name == "min_naturals" for name in names):
            options["num_jokers"] = chooser.randint(1, 4)
            options["joker_role"] = chooser.choice(("wild", "wild", "set_only"))
        for name in names:
            options |= ALONG.get(name, {})
        if options.get("layoff_scope") == "team" or "teams" in names:
            options["teams"], num_players = "two_by_two", 4
        if options.get("dealers_joker") and chooser.random() < 0.5:
            effect = chooser.choice(("wild", "double"))
            options["dealers_joker_effects"] = (effect,)
        try:
            rules = Rules(**options)
            rules.check(num_players)
        except RulesError:
            continue
        return rules, num_players
