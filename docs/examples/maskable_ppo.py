"""MaskablePPO of sb3-contrib, with 16 tables in one process."""

import argparse
import copy

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env

from agents import ObservingAgent
from experiments.evaluation import LearningCurve, evaluate

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--budget", choices=["ci", "long"], default="ci")
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()
rollout, num_rollouts = 4096, {"ci": 6, "long": 500}[args.budget]


def agent(name, policy):
    def best(x, mask):  # how it plays when it is measured: the likeliest legal action
        return policy.predict(x, action_masks=mask, deterministic=True)[0]

    return ObservingAgent(name, best)


class ShowCurve(BaseCallback):
    def _on_step(self):
        return True

    def _on_rollout_start(self):
        print(curve.measure(self.num_timesteps), flush=True)


torch.set_num_threads(1)  # more are no faster with a network this small
settings = {"flat": True, "opponents": "random", "reward": "points"}
settings["render_mode"] = None  # make_vec_env asks for pictures otherwise, and there are none
tables = make_vec_env("Rummy500-v0", n_envs=16, seed=args.seed, env_kwargs=settings)
model = MaskablePPO(
    "MlpPolicy",
    tables,
    n_steps=rollout // 16,
    batch_size=1024,
    n_epochs=4,
    learning_rate=1e-3,
    ent_coef=0.01,
    policy_kwargs={"net_arch": [128, 128]},
    seed=args.seed,
)
untrained = agent("untrained", copy.deepcopy(model.policy))
trained = agent("maskable_ppo", model.policy)
curve = LearningCurve(trained)
model.learn(rollout * num_rollouts, callback=ShowCurve())
final = evaluate(trained, [untrained, "random", "greedy"])
print(final.round(1).to_string(index=False))
print(final.assign(seed=args.seed).to_json(orient="records"))
