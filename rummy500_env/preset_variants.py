"""Single changes to a main game, house rules, and basic rummy."""

from __future__ import annotations

from typing import Final

from rummy500_env.preset_model import CORE, OURS, PORTUGUESE, SPRUCE, WIKIPEDIA, Family

__all__ = ["VARIANTS"]

VARIANTS: Final = Family()

add = VARIANTS.add

# --- variants of the standard game ---------------------------------------------------------------

add(
    "booting",
    CORE,
    "Booting",
    f"{PORTUGUESE}, Variations",
    "Whoever can play out the whole dealt hand on his first turn may do so without drawing, for "
    "25 points.",
    skip_first_draw=True,
    boot_bonus=25,
)
add(
    "michigan_rummy_500",
    CORE,
    "Michigan Rummy 500",
    f"{PORTUGUESE}, Variations; Bicycle, Michigan",
    "Each round every player pays a chip into each of four pots, the dealer two; the first to lay "
    "A♥, K♣, Q♦ or J♠ itself takes its pot. Chips are counted apart from points. The source only "
    "names the variant; the procedure is our choice after Michigan.",
    boodle_pots=True,
)
for _target in (300, 600, 750):
    add(
        f"target_{_target}",
        CORE,
        f"Rummy 500 to {_target}",
        f"{PORTUGUESE}, {'Variations' if _target == 300 else 'Scoring'}",
        target_score=_target,
    )

# --- single changes to the game in Wikipedia -----------------------------------------------------

add(
    "dig_layoff",
    "rummy500_wikipedia",
    "Taking discards to lay them off",
    f"{WIKIPEDIA} (first variant of taking)",
    "A discard may be taken to lay it off, alone or as one of a pair.",
    dig_use="meld_or_layoff",
)
add(
    "top_discard_free",
    "rummy500_wikipedia",
    "Top discard free",
    f"{WIKIPEDIA} (second variant of taking)",
    "The top discard alone may be taken into the hand; deeper takes are unchanged. That it may "
    "not be discarded in the same turn is pagat.com's, our source is silent.",
    top_discard_free=True,
    drawn_discard_ban="top_taken",
)
add(
    "aces_15",
    "rummy500_wikipedia",
    "Aces always 15",
    f"{WIKIPEDIA} (point variants for aces; their list after other public lists)",
    ace_low_value=15,
    ace_high_value=15,
    ace_set_value=15,
    ace_hand_value=15,
)
add(
    "aces_25",
    "rummy500_wikipedia",
    "Aces always 25",
    f"{WIKIPEDIA} (point variants for aces; their list after other public lists)",
    ace_low_value=25,
    ace_high_value=25,
    ace_set_value=25,
    ace_hand_value=25,
)
add(
    "four_aces_100",
    "rummy500_wikipedia",
    "Four aces 100",
    f"{WIKIPEDIA} (point variants for aces; their list after other public lists)",
    "A player who alone lays all four aces in a round scores 100 for them together: 60 and a "
    "bonus of 40.",
    four_aces_bonus=40,
)
add(
    "runs_of_four",
    "rummy500_wikipedia",
    "Runs of four",
    f"{WIKIPEDIA} (variant of runs)",
    "A new run has four cards or more; single cards may still be laid off on it.",
    run_min_len=4,
)
add(
    "round_the_corner",
    "rummy500_wikipedia",
    "Round the corner",
    f"{WIKIPEDIA} (aces)",
    "Runs may go from the king over the ace to the two. An ace next to a king counts as high.",
    ace_rank="round_the_corner",
)
add(
    "open_melding",
    "rummy500_wikipedia",
    "Open melding",
    f"{WIKIPEDIA} (variant: laying in other players' turns)",
    "After each discard the others are asked in the order of play whether they meld or lay off.",
    out_of_turn_play="meld_and_layoff",
)
add(
    "opening_discard",
    "rummy500_wikipedia",
    "The opening discard",
    f"{WIKIPEDIA} (variant of the first discard)",
    "The player after the dealer is dealt one card more and begins the discard pile with one of "
    "his cards, which is his first turn (our choice). The winner of a round deals the next.",
    start_discard="player_choice",
    dealer_rotation="winner",
)

# --- house rules of the standard game ------------------------------------------------------------

add(
    "final_discard",
    CORE,
    "Final discard",
    f"{PORTUGUESE}, End of a round 1 (house rule)",
    "A player goes out by discarding only.",
    must_discard_to_go_out=True,
)
add(
    "floating",
    "final_discard",
    "Floating",
    "pages quoting pagat.com",
    "A player may lay his last cards without going out; he then draws again on his next turn, "
    "and is out once he discards his last card.",
    floating=True,
)

# --- basic rummy ---------------------------------------------------------------------------------

add(
    "basic_rummy",
    CORE,
    "Basic rummy",
    SPRUCE,
    "Draw the top of either pile; only the player who goes out scores, the value of all other "
    "hands, twice if he has laid nothing before. The discards are shuffled as often as the stock "
    "runs out, up to a cap on turns; in a round cut off nobody scores (our choice).",
    players=(2, 6),
    hand_size={2: 10, 3: 7, 5: 6},
    num_decks=1,
    discard_take="top_only",
    top_discard_free=True,
    drawn_discard_ban="top_taken",
    ace_rank="low",
    ace_low_value=1,
    ace_high_value=1,
    ace_set_value=1,
    ace_hand_value=1,
    scoring_mode="winner_takes_hands",
    going_rummy_multiplier=2,
    stock_exhausted="reshuffle",
    max_reshuffles=None,
    target_score=150,
)
add(
    "basic_rummy_ace_high_or_low",
    "basic_rummy",
    "Basic rummy, aces high or low",
    f"{SPRUCE}, Ace either high or low",
    "Aces may also follow the king, and every ace counts 15, the low one too.",
    ace_rank="high_or_low",
    ace_low_value=15,
    ace_high_value=15,
    ace_set_value=15,
    ace_hand_value=15,
)
add(
    "basic_rummy_last_discard",
    "basic_rummy",
    "Basic rummy with a last discard",
    f"{SPRUCE}, Going out (note)",
    "A player goes out by discarding only.",
    must_discard_to_go_out=True,
)
add(
    "basic_rummy_fixed_hands",
    "basic_rummy",
    "Basic rummy over ten rounds",
    f"{SPRUCE}, Winning",
    "Ten rounds (the source says: a number agreed on); the highest total wins.",
    target_score=None,
    max_deals=10,
)

# --- tiny decks, for exact answers ---------------------------------------------------------------

add(
    "mini",
    CORE,
    "Mini, a game with exact answers",
    OURS,
    "Ace, two and three of one suit, each twice; two cards to each player. Two equal cards are a "
    "set, two neighbours a run, and the ace follows the three too. Small enough to be solved in "
    "seconds: all that is in the game remains, layoffs on runs, digs and what they oblige to.",
    players=(2, 2),
    num_decks=2,
    num_ranks=3,
    num_suits=1,
    hand_size=2,
    set_min_len=2,
    set_max_size=2,
    run_min_len=2,
    target_score=200,
)
add(
    "small",
    CORE,
    "Small, a larger game with exact answers",
    OURS,
    "Ace to four of two suits, each once; three cards to each player. A pair is a set, three in a "
    "row a run, and the ace follows the four too. Solved in minutes.",
    players=(2, 2),
    num_decks=1,
    num_ranks=4,
    num_suits=2,
    hand_size=3,
    set_min_len=2,
    set_max_size=2,
    target_score=200,
)
