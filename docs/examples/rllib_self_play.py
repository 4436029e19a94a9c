"""Self-play with RLlib's new API stack: PPO, one network for both seats, action masks."""

import argparse
import copy

import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.tune.registry import register_env
from torch import nn

import rummy500_env
from agents import ObservingAgent
from experiments.evaluation import LearningCurve, evaluate

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--budget", choices=["ci", "long"], default="ci")
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()
rollout, num_rollouts = 4096, {"ci": 5, "long": 500}[args.budget]


class MaskedNetwork(TorchRLModule, ValueFunctionAPI):
    def setup(self):
        size, num_actions = self.observation_space["observation"].shape[0], self.action_space.n
        self.body = nn.Sequential(nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
        self.actor, self.critic = nn.Linear(128, num_actions), nn.Linear(128, 1)

    def _forward(self, batch, **kwargs):
        seen = batch[Columns.OBS]
        logits = self.actor(self.body(seen["observation"]))
        return {Columns.ACTION_DIST_INPUTS: logits.masked_fill(seen["action_mask"] == 0, -1e9)}

    def compute_values(self, batch, embeddings=None):
        return self.critic(self.body(batch[Columns.OBS]["observation"])).squeeze(-1)

    @torch.no_grad()
    def best(self, x, mask):  # how it plays when it is measured: the likeliest legal action
        seen = {"observation": torch.from_numpy(x), "action_mask": torch.from_numpy(mask)}
        return self._forward({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS].argmax(-1)


def make_table(_):
    return PettingZooEnv(rummy500_env.env(episode="round", reward="points"))


ray.init(num_cpus=1, include_dashboard=False)
register_env("rummy500", make_table)
config = PPOConfig().environment("rummy500").debugging(seed=args.seed)
config.env_runners(num_env_runners=0, num_envs_per_env_runner=8)
config.multi_agent(policies={"both"}, policy_mapping_fn=lambda agent, episode, **more: "both")
config.rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedNetwork))
config.training(
    train_batch_size_per_learner=rollout,
    minibatch_size=1024,
    num_epochs=4,
    lr=1e-3,
    lambda_=0.95,
    entropy_coeff=0.01,
    grad_clip=0.5,
    use_kl_loss=False,
)
algorithm = config.build_algo()
network = algorithm.get_module("both")
untrained = ObservingAgent("untrained", copy.deepcopy(network).best)
trained = ObservingAgent("rllib_self_play", network.best)
curve = LearningCurve(trained)
for k in range(1, num_rollouts + 1):
    algorithm.train()
    print(curve.measure(k * rollout), flush=True)
ray.shutdown()
final = evaluate(trained, [untrained, "random", "greedy"])
print(final.round(1).to_string(index=False))
print(final.assign(seed=args.seed).to_json(orient="records"))
