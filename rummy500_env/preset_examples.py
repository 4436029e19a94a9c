"""A worked example for each named variant, as its page of rules shows it.

Cards are rank and suit (`Th` is the ten of hearts), `**` is a joker, piles are written from the
bottom to the top.
"""

from __future__ import annotations

from typing import Final

__all__ = ["EXAMPLES"]

EXAMPLES: Final[dict[str, str]] = {
    "rummy500": """
You hold 8s 8d 5c 2h 9h Jc 4d and the discard pile is 8h Kc 3s Qd. Only 8h can be dug for: it
makes a set with your two eights. You take all four cards, must lay 8s 8h 8d (24) at once, keep
Kc 3s Qd and discard one card. In another round you lay 5h 6h 7h 8h (26), lay Kd off on another
player's kings (10 for you, nothing for their owner) and are caught with Qc 4s (14):
26 + 10 - 14 = 22.
""",
    "rummy500_wikipedia": """
7c 8c 9c is worth 15 and may not open; laid with 2d 3d 4d in the same turn it makes 30 and may.
Kh Kd Kc (30) opens alone, As 2s 3s (15) does not. Left in hand, As 7d Kc costs 15 + 5 + 10 = 30.
With 85 on the table and 90 in hand when somebody goes out, a round scores -5; had the stock run
out instead, it would score 85.
""",
    "rummy500_wikipedia_jokers": """
With Qh Kh and a joker you lay a run and say what the joker is: Ah (the run is then closed above)
or Jh (it then goes on below with Th). Either way it is worth 10 + 10 + 15 = 35 and opens. A joker
left in hand costs 15.
""",
    "rummy500_online": """
Two players, 13 cards each; the stock has 25. You draw 4s and lay 9h Th Jh (29) and 6c 6d 6s (18);
4s may not be discarded this turn. When the stock has run out you hold Kd 2c (12): the round
scores 29 + 18 - 12 = 35.
""",
    "rummy500_online_200": """
Totals 185 and 170, a round of 20 and 41: 205 and 211. Both have reached 200, the higher wins.
""",
    "rummy500_online_100": """
Totals 85 and 70, a round of 29 and 12: 114 and 82, the first player wins.
""",
    "rummy500_two_packs": """
Six players: 104 cards, 42 are dealt, one begins the discard pile, the stock has 61. 7s 7s 7h is a
set (21) and 7d may be laid off on it; a fifth seven may not, but three more sevens may form
another set.
""",
    "rummy500_pagat": """
4d 5d 6d lies on the table and a player discards 7d. Before the next player draws, another calls
rum: he takes 7d, lays it off (7 points), goes on with any melds and layoffs of his own, discards,
and the turn passes to the player on his left. Had the top discard been 9s, which fits nothing,
the next player could have taken it into his hand, but not discarded it in the same turn.
""",
    "bicycle_500_rum": """
With 87 on the table and 90 in hand a round scores -3. At the end of a game the totals are 515, 430
and 380: where stakes are settled, the winner collects 85 + 135 = 220.
""",
    "boathouse_rule": """
You have opened, hold 3h 3d, and the top discard is 3s. You may not take it: the set would use all
three cards and leave none to discard. If 9c lies on top of 3s you may: take both, lay 3h 3d 3s
(15), discard 9c and be out.
""",
    "boathouse_rule_reshuffle": """
The stock is empty and the discard pile is Kc 4d 7h 2s. 2s stays where it is; Kc, 4d and 7h are
shuffled and become the stock. When they are drawn the stock is not made anew again: the first
player who takes no discard ends the round.
""",
    "boathouse_rule_discard_only": """
The stock is empty and you can use no discard. Holding 9c Kd, you pass the draw and discard Kd. If
the game comes round to you again in the same way you discard 9c and are out.
""",
    "boathouse_rum_draw2": """
You draw Qh and 3c from the stock, lay nothing and discard 3c: your hand has grown by one card. If
only one card is left in the stock you draw that one.
""",
    "michigan_rum": """
A goes out with 60 on the table; B has laid 40 and holds 25, C has laid 15 and holds 32. A scores
60 + 25 + 32 = 117, B 40, C 15. In the standard game it would be 60, 15 and -17.
""",
    "dealers_joker": """
The dealer says "double" and later lays Kh Kd Kc with his joker over them: 30 twice, 60. Ks laid off
on it afterwards counts 10. Had he said "wild", Qs Ks and the joker as As would be worth
10 + 10 + 0 = 20, too little to open with.
""",
    "dealers_joker_56": """
Four players: 56 cards, one joker lies beside the dealer, 55 are shuffled, 28 are dealt, one begins
the discard pile and the stock has 26. Three jokers may come up to block the dealer's.
""",
    "dealers_joker_250": """
Totals 231 and 190, a round of 25 and 10: 256 and 200, the first player wins.
""",
    "partnership_500": """
One side has laid 70 and 35; one partner went out, the other holds 22: 70 + 35 - 22 = 83. The other
side has laid 40 and 18 and holds 31 and 9: 18.
""",
    "partnership_s2": """
Your partner has laid 4c 5c 6c (15). You lay off 7c on it (7), and a player of the other side goes
out while you hold Jd and your partner 2s: your side scores 15 + 7 - 10 - 2 = 10.
""",
    "persian_s0": """
Four jokers laid at once are worth 160; three are worth 60 and the fourth, laid off later, 20. Four
sixes at once are worth 48; three are worth 18 and the fourth 6. The first deal brings 120 and 85,
the second 60 and 140, bonuses for going out included: 180 and 225. The second side adds 50 for the
game and wins with 275, by 95.
""",
    "persian_gamerules": """
As 2s 3s is no run. Qs Ks As is one, worth 10 + 10 + 15 = 35. Four aces laid at once are worth
60 twice, 120. There is no opening to reach: 2c 3c 4c (9) may be laid first.
""",
    "persian_s2": """
4h 5h 6h lies on the table and you hold 7h and a joker. The joker may not be laid off as 7h while
you hold 7h. Lay 7c 7d 7h (21) first, and the joker may go down as 7h for 20. Left in hand it costs
20.
""",
    "calling_rum": """
4d 5d 6d lies on the table and a player discards 7d. Another player, who has opened, calls rum and
lays it off: 5 points for him, his hand is unchanged. The next player in order draws as usual; the
top of the discard pile is the card below.
""",
    "rummy_masters_hand": """
You were dealt 4h 5h 6h 7h 8h 9h Th and draw 2c. You lay the run (six cards of 5 and a ten: 40) and
discard 2c: 40 + 500 = 540.
""",
    "booting": """
Three players. You are dealt 5h 6h 7h Kd Ks Kc 2s and it is your first turn. Without drawing you lay
the run (18) and the kings (30) and discard 2s: 18 + 30 + 25 = 73.
""",
    "michigan_rummy_500": """
Four players put 1 + 1 + 1 + 2 = 5 chips into each pot every round. The pot of Js has not been
claimed in two rounds and holds 15 in the third. You lay Ts Js Qs: 30 points, and the 15 chips. A
joker standing for Js would not take them.
""",
    "target_300": """
Totals 290 and 268, a round of 25 and 40: 315 and 308, the first player wins.
""",
    "target_600": """
Totals 580 and 560, a round of 15 and 50: 595 and 610, the second player wins.
""",
    "target_750": """
Totals 740 and 735, a round of 20 and 25: both have 760, so another round is played.
""",
    "dig_layoff": """
You have opened, 4s 5s 6s lies on the table. If the top discard is 7s you may take it and lay it
off (5). If you hold 7s and the discard pile is 8s 2c you may dig for 8s: lay off 7s, then 8s
(10 in all), and keep 2c.
""",
    "top_discard_free": """
The top discard is Jc and you hold Jd Jh. You may take it and keep the three jacks in hand, but the
card you discard must be another one. Digging deeper you must still meld at once.
""",
    "aces_15": """
As 2s 3s is worth 15 + 5 + 5 = 25 instead of 15, still too little to open with; As Ah Ad is worth
45.
""",
    "aces_25": """
As 2s 3s is worth 25 + 5 + 5 = 35 and opens; As Ah Ad is worth 75. An ace left in hand costs 25.
""",
    "four_aces_100": """
You lay Ac Ad Ah (45) and later the run Qs Ks As (35). All four aces are yours, 15 each: with the
bonus of 40 they come to 100, the two melds to 120. Had another player laid As there would be no
bonus.
""",
    "runs_of_four": """
5h 6h 7h may not be laid. 5h 6h 7h 8h (20) may, with enough beside it to open; once it lies, 9h
alone may be laid off on it (5).
""",
    "round_the_corner": """
Qs Ks As 2s is a run, worth 10 + 10 + 15 + 5 = 40: the ace lies next to the king and counts high.
3s may be laid off on one end of it and Js on the other.
""",
    "open_melding": """
A discards. B, next in order, is asked and passes. C, who has opened, lays 9c 9d 9h (15) although
it is not his turn. Then B draws. Had those been C's last cards he would have been out.
""",
    "opening_discard": """
Three players: the one after the dealer is dealt eight cards, the others seven. He begins the
discard pile with Kd, which was his turn; the next player draws or takes Kd. Whoever scores best in
the round deals the next.
""",
    "final_discard": """
You hold 3h 3d and the top discard is 3s. You may not take it: the set would leave nothing to
discard. If the discard pile is 3s 9c you may dig for 3s, lay the set (9) and discard 9c to go out.
""",
    "floating": """
You hold 3h 3d and the top discard is 3s. You take it and lay the set (9): you have no cards, but
are not out. On your next turn you draw 9c. Discard it and you are out; lay it off and you float
on.
""",
    "basic_rummy": """
You go out while the others hold Kc 7d and 9h: you score 10 + 7 + 9 = 26, and 52 if you had laid
nothing before that turn. The others score nothing.
""",
    "basic_rummy_ace_high_or_low": """
Qs Ks As is a run, as is As 2s 3s. You go out while another player holds Ad 5c: you score
15 + 5 = 20.
""",
    "basic_rummy_last_discard": """
You hold 4c 4d and draw 4h. The set may not be laid: nothing would be left to discard. Discard one
and wait for a card to keep.
""",
    "basic_rummy_fixed_hands": """
After ten rounds the totals are 140, 95 and 122: the first player wins, although nobody has to
reach any number of points.
""",
    "mini": """
You hold Ac 2c, the discard pile is 3c. You may take 3c: with 2c it is the run 2c 3c (5), and Ac
follows as its high end (15): out with 20. A player caught with Ac 3c loses 15 + 3 = 18.
""",
    "small": """
You hold 2c 3c 4d and draw 4c. The run 2c 3c 4c (9) leaves 4d, which you discard to go out; the set
4c 4d (8) would keep 2c 3c. A later Ac could be laid off on either end of that run: it counts
1 below it and 15 above.
""",
}
