"""The command `rummy500 audit`: its words and options."""

from __future__ import annotations

import typer

from experiments.cli_app import SEED, app, whole

__all__ = ["audit"]


@app.command()
def audit(
    agent: str = typer.Argument(metavar="AGENT", help="An agent (see: rummy500 agents)."),
    regret: bool = typer.Option(
        False, "--regret", help="Say what its decisions lose, on decisions that were valued before."
    ),
    rules: str = typer.Option(
        None,
        metavar="PRESET",
        help="Preset of the rules (see: rummy500 rules).",
        show_default="rummy500; with --regret that of the states",
    ),
    players: int = typer.Option(
        None,
        parser=whole,
        metavar="INTEGER",
        help="Seats; one is the reply's, all others are the agent's.",
        show_default="2; with --regret that of the states",
    ),
    rounds: int = typer.Option(
        None,
        parser=whole,
        metavar="INTEGER",
        help="Rounds that the reply is trained on.",
        show_default="100000",
    ),
    start: str = typer.Option(
        None,
        metavar="FILE|none",
        help="Weights that the reply starts from; none: from nothing.",
        show_default="those of the package for this variant, if there are some",
    ),
    deals: int = typer.Option(
        None,
        parser=whole,
        metavar="INTEGER",
        help="Other deals that its gain is measured on, each from every seat.",
        show_default="5000",
    ),
    states: str = typer.Option(
        None,
        metavar="FILE",
        help="With --regret: valued states of your own (python -m experiments.audit.build).",
        show_default="those of the package",
    ),
    seed: int = SEED,
    out: str = typer.Option(
        None, metavar="FOLDER", help="Folder for the files.", show_default="runs/audit-…"
    ),
) -> None:
    """Say what a trained reply gains over an agent, or what the agent's decisions lose.

    Without --regret a network is trained against the agent, which stays as it
    is. What it then gains over it, on deals of their own, is a lower bound of the
    agent's exploitability. Needs the extra `train` (torch) and a compiled agent.

    With --regret the agent, of whatever kind, is asked at 1,000 decisions whose
    moves were played on in many possible worlds: the points that its moves lose.
    """
    from experiments.audit import run  # noqa: PLC0415

    if regret:
        run.refuse("with --regret", {"--rounds": rounds, "--start": start, "--deals": deals})
        run.show_regret(agent, rules, players, states, seed, out)
    else:
        run.refuse("without --regret", {"--states": states})
        run.show_exploit(
            agent,
            "rummy500" if rules is None else rules,
            2 if players is None else players,
            100_000 if rounds is None else rounds,
            start,
            5000 if deals is None else deals,
            seed,
            out,
        )
