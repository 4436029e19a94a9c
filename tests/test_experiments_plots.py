"""Pictures: what they show, for few and many agents, without a screen."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from experiments.plots import plot_payoffs, plot_scores

NAMES = ["greedy", "mc:64", "random", "learned:some/long/path/to/a/network", "e", "f", "g"]


def scores(num_agents):
    rng = np.random.default_rng(0)
    agents = np.repeat(NAMES[:num_agents], 300)
    return pd.DataFrame({"agent": agents, "score": rng.normal(60, 70, len(agents)).astype(int)})


@pytest.mark.parametrize("num_agents", [1, 2, 7])
def test_a_strip_for_each_agent(num_agents, tmp_path):
    seats = scores(num_agents)
    figure = plot_scores(seats, title="Scores of a round")
    axes = figure.axes[0]
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels == NAMES[:num_agents][::-1]
    assert "points" in axes.get_xlabel()
    means = [float(text.get_text()) for text in axes.texts]
    expected = [seats["score"][seats["agent"] == name].mean() for name in NAMES[:num_agents]]
    assert means == pytest.approx(expected, abs=0.051)
    figure.savefig(tmp_path / "scores.png")


def test_scores_that_are_all_equal_can_be_drawn(tmp_path):
    plot_scores(pd.DataFrame({"agent": ["a", "b"], "score": [0, 0]})).savefig(tmp_path / "0.png")


def matrices(num_agents):
    values = np.random.default_rng(1).normal(0, 40, (num_agents, num_agents))
    values = values - values.T
    np.fill_diagonal(values, np.nan)
    names = NAMES[:num_agents]
    means = pd.DataFrame(values, names, names)
    return means, pd.DataFrame(np.where(np.isnan(values), np.nan, 5.0), names, names)


@pytest.mark.parametrize("num_agents", [2, 7])
def test_a_cell_for_each_pair(num_agents, tmp_path):
    means, halves = matrices(num_agents)
    order = NAMES[:num_agents][::-1]
    figure = plot_payoffs(means, halves, order)
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert len(texts) == num_agents * (num_agents - 1)
    assert texts[0] == f"{means.loc[order[0], order[1]]:+.1f}\n± 5.0"
    assert [label.get_text() for label in figure.axes[0].get_xticklabels()] == order
    figure.savefig(tmp_path / "payoffs.png")


def test_cells_are_bold_where_the_interval_leaves_out_zero():
    means = pd.DataFrame([[np.nan, 8.0], [-8.0, np.nan]], ["a", "b"], ["a", "b"])
    weights = [
        plot_payoffs(means, means.abs() * 0 + half).axes[0].texts[0].get_fontweight()
        for half in (5.0, 9.0, np.nan)
    ]
    assert weights == ["bold", "normal", "normal"]


def test_a_matrix_without_numbers_can_be_drawn(tmp_path):
    empty = pd.DataFrame(np.nan, ["a", "b"], ["a", "b"])
    plot_payoffs(empty, empty).savefig(tmp_path / "empty.png")


def test_nothing_global_is_used():
    code = "import sys, experiments.plots, experiments.plots_statistics\n"
    code += "print('matplotlib.pyplot' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "False\n"
