"""An agent that asks a function from text to text, such as a language model, for its moves.

For a model of yours write `complete(prompt: str) -> str` and put it in place of `stand_in`.
"""

import argparse
import re
import zlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from agents import Agent
from experiments.evaluation import evaluate
from rummy500_env import PlayerView

PROMPT = """You play Rummy 500. This is what you know:

{view}

Your legal moves:
{moves}

Think, then end with a line MOVE: and one of these moves."""


class TextAgent(Agent):
    """Shows the view and the legal moves, and plays the move that the answer ends with.

    A bad answer is sent back with a remark; after `tries` of them a random legal move is played.
    """

    deterministic = False

    def __init__(self, name, complete, tries=2, at_once=8):
        self.name, self.complete, self.tries, self.at_once = name, complete, tries, at_once
        self.log = []

    def act(self, views, action_masks):
        masks = enumerate(action_masks)  # one for each table that waits for a move
        shown = [PlayerView(views[k : k + 1], self.rules, mask.nonzero()[0]) for k, mask in masks]
        with ThreadPoolExecutor(self.at_once) as pool:
            return np.array([move.index for move in pool.map(self.choose, shown)])

    def choose(self, view):
        legal = view.moves()
        prompt = PROMPT.format(view=view.text(), moves="\n".join(legal))
        for _ in range(self.tries):
            answer = self.complete(prompt)
            said = (re.findall(r"MOVE: *(.+)", answer) or ["nothing"])[-1].strip()
            self.log.append((answer, said in legal))
            if said in legal:
                return legal[legal.index(said)]
            prompt += f"\n{answer}\nYou said {said!r}, which is no legal move. Try again.\n"
        return legal[view.random % len(legal)]


def stand_in(prompt):
    """Answer as a model might, which lays what it can, throws what is dearest, talks nonsense."""
    moves = prompt.split("Your legal moves:\n")[1].split("\n\n")[0].splitlines()
    if zlib.crc32(prompt.encode()) % 10 == 0:
        return "I knock with gin!\nMOVE: knock"
    wanted, dear = ("meld", "layoff", "dig", "draw", "discard", "pass"), "AKQJT98765432"
    best = min(moves, key=lambda move: (wanted.index(move.split()[0]), dear.find(move[8:9])))
    return f"Cards on the table cannot cost me anything.\nMOVE: {best}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", choices=["ci", "long"], default="ci")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    deals = {"ci": 100, "long": 1000}[args.budget]
    agent = TextAgent("text_agent", stand_in)
    final = evaluate(agent, ["random", "greedy"], deals=deals, seed=args.seed)
    bad = [answer for answer, good in agent.log if not good]
    print(f"{len(agent.log):,} answers, {len(bad):,} of them no legal move, such as {bad[:1]}")
    print(final.round(1).to_string(index=False))
    print(final.assign(seed=args.seed, bad=len(bad)).to_json(orient="records"))
