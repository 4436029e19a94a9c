"""The presets of section 5 of the rules, as changes to all defaults (rules 5.1-5.5, 9.20)."""

from __future__ import annotations

from typing import Any

Preset = dict[str, Any]

CORE: Preset = {}
WIKIPEDIA: Preset = {
    "card_values": "five_ten_fifteen",
    "ace_low_value": 5,
    "dig_use": "new_meld",
    "first_meld_min": 30,
    "stock_exhausted": "end_if_all_pass",
    "exhausted_hand_penalty": False,
    "tie_break": "went_out",
}
ONLINE: Preset = {
    "hand_size": 13,
    "drawn_discard_ban": "all_drawn",
    "stock_exhausted": "end_after_turn",
    "clock_budget": 1000,
}
BOATHOUSE: Preset = {
    **WIKIPEDIA,
    "must_discard_to_go_out": True,
    "exhausted_hand_penalty": True,
    "stock_exhausted": "end_if_no_take",
}
DEALERS_JOKER: Preset = {
    **WIKIPEDIA,
    "num_jokers": 2,
    "dealers_joker": True,
    "joker_role": "nominated",
    "joker_table_value": 0,
    "joker_hand_value": 0,
    "direction": -1,
}
PARTNERSHIP: Preset = {
    **WIKIPEDIA,
    "players": (4, 4),
    "teams": "two_by_two",
    "tie_break": "highest",
}
PERSIAN_S0: Preset = {
    **PARTNERSHIP,
    "num_jokers": 4,
    "joker_role": "set_only",
    "joker_table_value": 20,
    "joker_hand_value": 20,
    "card_values": "pip",
    "ace_low_value": 1,
    "four_at_once_multiplier": 2,
    "go_out_bonus": 25,
    "max_deals": 2,
    "target_score": None,
    "game_bonus": 50,
}
BASIC: Preset = {
    "players": (2, 6),
    "hand_size": {2: 10, 3: 7, 4: 7, 5: 6, 6: 6},
    "num_decks": 1,
    "discard_take": "top_only",
    "top_discard_free": True,
    "drawn_discard_ban": "top_taken",
    "ace_rank": "low",
    "ace_low_value": 1,
    "ace_high_value": 1,
    "ace_set_value": 1,
    "ace_hand_value": 1,
    "scoring_mode": "winner_takes_hands",
    "going_rummy_multiplier": 2,
    "stock_exhausted": "reshuffle",
    "max_reshuffles": None,
    "target_score": 150,
}
ALL_ACES = ("ace_low_value", "ace_high_value", "ace_set_value", "ace_hand_value")

PRESETS: dict[str, Preset] = {
    "rummy500": CORE,
    "rummy500_wikipedia": WIKIPEDIA,
    "rummy500_wikipedia_jokers": {
        **WIKIPEDIA,
        "num_jokers": {1: 2, 2: 4},
        "joker_role": "wild",
    },
    "rummy500_online": ONLINE,
    "rummy500_online_200": {**ONLINE, "target_score": 200},
    "rummy500_online_100": {**ONLINE, "target_score": 100},
    "rummy500_two_packs": {"players": (5, 8), "num_decks": 2},
    "rummy500_pagat": {
        "num_jokers": {1: 2, 2: 4},
        "joker_role": "wild",
        "top_discard_free": True,
        "drawn_discard_ban": "top_taken",
        "set_distinct_suits": True,
        "call_rum": "pile_and_turn",
    },
    "bicycle_500_rum": CORE,
    "boathouse_rule": BOATHOUSE,
    "boathouse_rule_reshuffle": {**BOATHOUSE, "stock_exhausted": "reshuffle"},
    "boathouse_rule_discard_only": {**BOATHOUSE, "stock_exhausted": "discard_only"},
    "boathouse_rum_draw2": {**BOATHOUSE, "stock_draw_count": 2},
    "michigan_rum": {**WIKIPEDIA, "scoring_mode": "michigan", "final_layoff": "any_meld"},
    "dealers_joker": DEALERS_JOKER,
    "dealers_joker_56": {**DEALERS_JOKER, "num_jokers": 4},
    "dealers_joker_250": {**DEALERS_JOKER, "target_score": 250},
    "partnership_500": PARTNERSHIP,
    "partnership_s2": {"players": (4, 4), "teams": "two_by_two"},
    "persian_s0": PERSIAN_S0,
    "persian_gamerules": {**PERSIAN_S0, "ace_rank": "high", "first_meld_min": 0},
    "persian_s2": {
        "num_jokers": 4,
        "joker_role": "wild",
        "joker_table_value": 20,
        "joker_hand_value": 20,
        "joker_layoff": "natural_first",
    },
    "calling_rum": {**WIKIPEDIA, "call_rum": "card_only"},
    "rummy_masters_hand": {**WIKIPEDIA, "masters_hand_bonus": 500},
    "booting": {"skip_first_draw": True, "boot_bonus": 25},
    "michigan_rummy_500": {"boodle_pots": True},
    "target_300": {"target_score": 300},
    "dig_layoff": {**WIKIPEDIA, "dig_use": "meld_or_layoff"},
    "top_discard_free": {**WIKIPEDIA, "top_discard_free": True, "drawn_discard_ban": "top_taken"},
    "aces_15": {**WIKIPEDIA, **dict.fromkeys(ALL_ACES, 15)},
    "aces_25": {**WIKIPEDIA, **dict.fromkeys(ALL_ACES, 25)},
    "four_aces_100": {**WIKIPEDIA, "four_aces_bonus": 40},
    "runs_of_four": {**WIKIPEDIA, "run_min_len": 4},
    "round_the_corner": {**WIKIPEDIA, "ace_rank": "round_the_corner"},
    "open_melding": {**WIKIPEDIA, "out_of_turn_play": "meld_and_layoff"},
    "opening_discard": {
        **WIKIPEDIA,
        "start_discard": "player_choice",
        "dealer_rotation": "winner",
    },
    "final_discard": {"must_discard_to_go_out": True},
    "floating": {"must_discard_to_go_out": True, "floating": True},
    "basic_rummy": BASIC,
    "basic_rummy_ace_high_or_low": {
        **BASIC,
        "ace_rank": "high_or_low",
        **dict.fromkeys(ALL_ACES, 15),
    },
    "basic_rummy_last_discard": {**BASIC, "must_discard_to_go_out": True},
    "basic_rummy_fixed_hands": {**BASIC, "target_score": None, "max_deals": 10},
    "mini": {
        "players": (2, 2),
        "num_decks": 2,
        "num_ranks": 3,
        "num_suits": 1,
        "hand_size": 2,
        "set_min_len": 2,
        "set_max_size": 2,
        "run_min_len": 2,
        "target_score": 200,
    },
    "small": {
        "players": (2, 2),
        "num_decks": 1,
        "num_ranks": 4,
        "num_suits": 2,
        "hand_size": 3,
        "set_min_len": 2,
        "set_max_size": 2,
        "target_score": 200,
    },
}
