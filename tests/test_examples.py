"""The examples of docs/examples: each trains, and what it has learned is worth its points.

Those that need a framework run in environments of their own, kept under `.venv-examples/`, since
their pins contradict each other: `make examples`.
"""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "examples"
PAGE = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
EXAMPLES = {path.stem: path for path in sorted(FOLDER.glob("*.py"))}
REQUIREMENTS = {path.stem: path for path in sorted((FOLDER / "requirements").glob("*.txt"))}


def required(name: str) -> list[Requirement]:
    return [Requirement(line) for line in REQUIREMENTS[name].read_text().splitlines()]


def environment(name: str) -> Path:
    """Return the Python of an example's own environment, made when it is not as required."""
    absent = [str(one) for one in required(name) if one.marker and not one.marker.evaluate()]
    if absent:
        pytest.skip(f"no wheel for Python {sys.version.split()[0]}: {', '.join(absent)}")
    folder = ROOT / ".venv-examples" / name
    python, stamp = folder / "bin" / "python", folder / ".installed"
    wanted = "\n".join(
        (sys.version, *map(str, required(name)), (ROOT / "pyproject.toml").read_text())
    )
    if not stamp.exists() or stamp.read_text() != wanted:
        called(sys.executable, "-m", "venv", "--clear", folder)
        install = ("-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check")
        called(python, *install, "--requirement", REQUIREMENTS[name], "--editable", ROOT)
        stamp.write_text(wanted)
    return python


def called(*words: object, **settings: Any) -> str:
    """Return what a command prints; when it fails, so does the test, with what it said last."""
    run = subprocess.run(
        [*map(str, words)], check=False, capture_output=True, text=True, **settings
    )
    if run.returncode:
        pytest.fail(f"{words} gave {run.returncode}:\n{run.stdout[-2000:]}\n{run.stderr[-4000:]}")
    return run.stdout


def run_example(name: str, python: Path, folder: Path) -> tuple[dict[str, dict[str, Any]], str]:
    """Return an example's final figures by opponent, and all that it printed."""
    printed = called(python, EXAMPLES[name], "--budget", "ci", cwd=folder)
    rows = json.loads(printed.splitlines()[-1])
    assert {row["agent"] for row in rows} == {name}
    return {row["opponent"]: row for row in rows}, printed


@pytest.mark.examples
@pytest.mark.parametrize("name", REQUIREMENTS)
def test_what_is_trained_beats_random_and_what_it_was_before(name, tmp_path):
    figures, printed = run_example(name, environment(name), tmp_path)
    print(printed)
    assert (
        len(re.findall(r"^ +[\d,]+ steps .* a round against random$", printed, re.MULTILINE)) >= 5
    )
    assert figures["random"]["low"] >= 20
    assert figures["untrained"]["low"] > 0
    assert {row["deals"] for row in figures.values()} == {500}


@pytest.mark.examples
def test_the_snippet_of_the_page_about_gymnasium_runs():
    page = (ROOT / "docs" / "gymnasium.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```py\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert "learn(100_000)" in block
    short = block.replace("learn(100_000)", "learn(1).num_timesteps")  # one rollout, learned from
    code = f"import gymnasium, torch, rummy500_env\ntorch.set_num_threads(1)\n{short}"
    code = code.replace("MaskablePPO(", "print(MaskablePPO(").rstrip() + ")"
    assert called(environment("maskable_ppo"), "-c", code).split() == ["2048"]


def test_an_agent_of_texts_plays_and_bad_answers_do_not_stop_it(tmp_path):
    figures, printed = run_example("text_agent", Path(sys.executable), tmp_path)
    assert figures["random"]["low"] > 0
    assert figures["random"]["bad"] > 100
    assert "no legal move" in printed


def test_an_answer_is_read_sent_back_and_at_last_replaced(monkeypatch):
    import rummy500_env as r5

    monkeypatch.syspath_prepend(str(FOLDER))
    text_agent = importlib.import_module("text_agent")
    game = r5.Game("rummy500", num_players=2, seed=6)
    legal = sorted(game.legal_moves())
    assert legal == ["dig Js", "draw"]
    prompts = []

    def played(*answers: str):
        prompts.clear()
        rest = iter(answers)

        def complete(prompt):
            prompts.append(prompt)
            return next(rest)

        agent = text_agent.TextAgent("text", complete)
        agent.reset(game.rules, 2, 0)
        views = game.view_record(game.current_seat)
        (action,) = agent.act(views, game.action_mask()[None])
        return game.action_space.to_text(int(action)), [good for _, good in agent.log]

    assert played("I think so.\nMOVE: dig Js") == ("dig Js", [True])
    assert game.view(game.current_seat).text() in prompts[0]
    assert "\ndraw\ndig Js\n" in prompts[0]
    assert played("MOVE: dig Js\nOh no, rather\nMOVE: draw") == ("draw", [True])
    assert played("draw", "MOVE: draw") == ("draw", [False, True])
    assert "'nothing', which is no legal move" in prompts[1]
    assert prompts[1].startswith(prompts[0])
    move, good = played("MOVE: knock", "MOVE: dig 2c")
    assert (move in legal, good) == (True, [False, False])


@pytest.mark.nojit
def test_examples_are_short_and_say_what_they_need():
    assert set(EXAMPLES) - set(REQUIREMENTS) == {"text_agent"}
    assert set(REQUIREMENTS) < set(EXAMPLES)
    for name, path in EXAMPLES.items():
        assert len(path.read_text(encoding="utf-8").splitlines()) < 80, name
    for name in REQUIREMENTS:
        for one in required(name):
            assert [clause.operator for clause in one.specifier] == ["=="], f"{name}: {one}"


@pytest.mark.nojit
def test_the_page_has_all_examples_and_what_they_reach():
    for name in EXAMPLES:
        assert f"| [{name}.py](examples/{name}.py) |" in PAGE
        assert re.search(rf"^\| `{name}` \| \+\d+\.\d ± \d+\.\d \|", PAGE, re.MULTILINE), name


def test_the_code_of_the_page_runs(capsys):
    (block,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    exec(compile(block, "<docs/training.md>", "exec"), {"__name__": "docs_training"})
    printed = capsys.readouterr().out
    assert "a round against random\n" in printed
    assert "greedy" in printed
