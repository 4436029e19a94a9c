"""The games the sources describe: the main ones and the variants they give a name."""

from __future__ import annotations

from typing import Final

from rummy500_env.preset_model import CORE, ONLINE, PAGAT, PORTUGUESE, WIKIPEDIA, Family

__all__ = ["GAMES"]

GAMES: Final = Family()

add = GAMES.add

# --- the main games ------------------------------------------------------------------------------

add(
    "rummy500",
    CORE,
    "Rummy 500",
    PORTUGUESE,
    "The standard game. Equal highest totals play another round, as on pagat.com.",
)
add(
    "rummy500_wikipedia",
    CORE,
    "500 rum as Wikipedia has it",
    WIKIPEDIA,
    "Played without jokers. A card dug for must go into a new meld, and the first melds of a "
    "round must come to 30. The source gives aces in sets and in hand no value of their own: "
    "both count 15 (our choice).",
    card_values="five_ten_fifteen",
    ace_low_value=5,
    dig_use="new_meld",
    first_meld_min=30,
    stock_exhausted="end_if_all_pass",
    exhausted_hand_penalty=False,
    tie_break="went_out",
)
add(
    "rummy500_wikipedia_jokers",
    "rummy500_wikipedia",
    "500 rum with jokers",
    f"{WIKIPEDIA} (cards; jokers)",
    "Two jokers for each deck; num_jokers=1 is the source's other pack. Jokers are wild and may "
    "stand for a card that is on the table already.",
    num_jokers={1: 2, 2: 4},
    joker_role="wild",
)
add(
    "rummy500_online",
    CORE,
    "Rummy 500 on an online platform",
    ONLINE,
    "Thirteen cards for two players, or three; no card drawn in a turn may be discarded in it. "
    "A budget of decisions stands for the time limit. High aces in runs, and that hands count "
    "when the stock has run out, are assumed.",
    players=(2, 3),
    hand_size=13,
    drawn_discard_ban="all_drawn",
    stock_exhausted="end_after_turn",
    clock_budget=1000,
    target_score=500,
)
add(
    "rummy500_online_200",
    "rummy500_online",
    "Rummy 500 on an online platform, to 200",
    ONLINE,
    target_score=200,
)
add(
    "rummy500_online_100",
    "rummy500_online",
    "Rummy 500 on an online platform, to 100",
    ONLINE,
    target_score=100,
)
add(
    "rummy500_two_packs",
    CORE,
    "Rummy 500 for five to eight",
    f"{WIKIPEDIA} (cards); {PORTUGUESE}, Players and Deck",
    "Two decks shuffled together. Sets may hold equal cards; set_distinct_suits=True forbids it, "
    "as pagat.com does. Up to four jokers may be added.",
    players=(5, 8),
    num_decks=2,
)
add(
    "rummy500_pagat",
    CORE,
    "500 Rum as pagat.com has it",
    PAGAT,
    "Two jokers for each deck, the top discard free, and rum may be called for the pile. That "
    "page lists play without jokers, without calls and with new melds only as variations.",
    num_jokers={1: 2, 2: 4},
    joker_role="wild",
    top_discard_free=True,
    drawn_discard_ban="top_taken",
    set_distinct_suits=True,
    call_rum="pile_and_turn",
)
add(
    "bicycle_500_rum",
    CORE,
    "500 Rum as Bicycle has it",
    "Bicycle, 500 Rum",
    "The standard game. That each loser pays the winner the difference of their totals concerns "
    "the settling of stakes, not the play.",
)

# --- variants of the game in Wikipedia -----------------------------------------------------------

add(
    "boathouse_rule",
    "rummy500_wikipedia",
    "Boathouse rule",
    f"{WIKIPEDIA} (Boathouse)",
    "A player goes out by discarding only. With an empty stock players may still take discards; "
    "the first who takes none ends the round, and hands count.",
    must_discard_to_go_out=True,
    exhausted_hand_penalty=True,
    stock_exhausted="end_if_no_take",
)
add(
    "boathouse_rule_reshuffle",
    "boathouse_rule",
    "Boathouse rule, discards reshuffled",
    f"{WIKIPEDIA} (Boathouse, first alternative)",
    "An empty stock is made anew from the discards below the top one, once (our choice).",
    stock_exhausted="reshuffle",
)
add(
    "boathouse_rule_discard_only",
    "boathouse_rule",
    "Boathouse rule, discarding until one is out",
    f"{WIKIPEDIA} (Boathouse, second alternative)",
    "With an empty stock play goes on without drawing until a player is out.",
    stock_exhausted="discard_only",
)
add(
    "boathouse_rum_draw2",
    "boathouse_rule",
    "Boathouse rum, drawing two",
    f"{WIKIPEDIA} (Boathouse Rum in software)",
    "Two cards are drawn from the stock; taking discards is unchanged.",
    stock_draw_count=2,
)
add(
    "michigan_rum",
    "rummy500_wikipedia",
    "Michigan rum",
    f"{WIKIPEDIA} (Michigan)",
    "The player who goes out gets the value of all other hands, after the others have laid off "
    "what fits any meld (the source says: the opponent's). When nobody goes out only cards laid "
    "count: the source's own list is lost, michigan_no_winner offers two other readings.",
    scoring_mode="michigan",
    final_layoff="any_meld",
    michigan_no_winner="melds_only",
)
add(
    "dealers_joker",
    "rummy500_wikipedia",
    "The dealer's joker",
    f"{WIKIPEDIA} (the dealer's joker)",
    "One of two jokers lies face up beside the dealer, who names before looking at any hand "
    "whether jokers are wild or double a meld; another player's joker can block it. Jokers are "
    "worth nothing. Also called Dealer's Gambit. One deck, so at most four players (our choice).",
    players=(2, 4),
    num_jokers=2,
    dealers_joker=True,
    joker_role="nominated",
    joker_table_value=0,
    joker_hand_value=0,
    direction=-1,
    target_score=500,
)
add(
    "dealers_joker_56",
    "dealers_joker",
    "The dealer's joker with four jokers",
    f"{WIKIPEDIA} (the dealer's joker)",
    "One joker lies beside the dealer, three are in the pack.",
    num_jokers=4,
)
add(
    "dealers_joker_250",
    "dealers_joker",
    "The dealer's joker, to 250",
    f"{WIKIPEDIA} (the dealer's joker)",
    target_score=250,
)
add(
    "partnership_500",
    "rummy500_wikipedia",
    "Partnership 500",
    f"{WIKIPEDIA} (partnership)",
    "Two against two. A side scores the cards both have laid less both hands; the higher total "
    "wins even if the other side went out. Cards may be laid off on any meld; "
    "layoff_scope='team' is offered.",
    players=(4, 4),
    teams="two_by_two",
    tie_break="highest",
)
add(
    "partnership_s2",
    CORE,
    "Partnership 500 Rummy",
    f"{PORTUGUESE}, Variations",
    "The standard game, two against two, with combined scores; partners lay off freely on each "
    "other's melds.",
    players=(4, 4),
    teams="two_by_two",
)
add(
    "persian_s0",
    "partnership_500",
    "Persian rummy",
    f"{WIKIPEDIA} (Persian)",
    "Four jokers of 20 that form sets of their own; a set of four laid at once scores twice; two "
    "deals. Cards count their pips, as the source's own example of sixes shows. The opening of 30 "
    "is inherited. A tie after two deals is a draw without bonus (our choice).",
    num_jokers=4,
    joker_role="set_only",
    joker_table_value=20,
    joker_hand_value=20,
    card_values="pip",
    ace_low_value=1,
    four_at_once_multiplier=2,
    go_out_bonus=25,
    max_deals=2,
    target_score=None,
    game_bonus=50,
)
add(
    "persian_gamerules",
    "persian_s0",
    "Persian rummy as gamerules.com has it",
    "gamerules.com, Persian Rummy",
    "Aces are high only and there is no opening of 30. Drawing cards for partners and dealer is "
    "replaced by chance.",
    ace_rank="high",
    first_meld_min=0,
    dig_use="new_meld",
)
add(
    "persian_s2",
    CORE,
    "Persian rummy with wild jokers",
    f"{PORTUGUESE}, Variations",
    "Four wild jokers of 20, each for himself, to 500. A joker may not be laid off as a card that "
    "its player holds and could lay off there.",
    num_jokers=4,
    joker_role="wild",
    joker_table_value=20,
    joker_hand_value=20,
    joker_layoff="natural_first",
)
add(
    "calling_rum",
    "rummy500_wikipedia",
    "Calling rum",
    f"{WIKIPEDIA} (calling rum)",
    "A discard that fits a meld on the table may be called by another player, who lays that card "
    "and nothing else; the order of play is unchanged. Asked in the order of play.",
    call_rum="card_only",
)
add(
    "rummy_masters_hand",
    "rummy500_wikipedia",
    "The rummy master's hand",
    f"{WIKIPEDIA} (the master's hand)",
    "Laying a run of seven or more in one go and going out by the discard of the same turn earns "
    "500 on top of the round's score (our choice of timing, length and adding).",
    masters_hand_bonus=500,
)
