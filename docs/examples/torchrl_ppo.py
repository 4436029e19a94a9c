"""PPO of TorchRL with action masks, 16 tables in one process."""

import argparse
import copy

import gymnasium
import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torch.distributions import Categorical
from torchrl.collectors import Collector
from torchrl.envs import ActionMask, GymWrapper, SerialEnv, TransformedEnv
from torchrl.modules import ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from agents import ObservingAgent
from experiments.evaluation import LearningCurve, evaluate

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--budget", choices=["ci", "long"], default="ci")
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()
rollout, num_rollouts = 4096, {"ci": 6, "long": 500}[args.budget]


def layers(size, num_outputs):
    body = nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU()
    return nn.Sequential(*body, nn.Linear(128, num_outputs))


class Logits(nn.Module):
    def __init__(self, size, num_actions):
        super().__init__()
        self.layers = layers(size, num_actions)

    def forward(self, x, mask):
        return self.layers(x).masked_fill(mask == 0, -1e9)

    @torch.no_grad()
    def best(self, x, mask):  # how it plays when it is measured: the likeliest legal action
        return self(torch.from_numpy(x), torch.from_numpy(mask)).argmax(-1)


def make_table():
    table = gymnasium.make("Rummy500-v0", opponents="random", reward="points")
    return TransformedEnv(GymWrapper(table, categorical_action_encoding=True), ActionMask())


torch.manual_seed(args.seed)
torch.set_num_threads(1)  # more are no faster with a network this small
tables = SerialEnv(16, make_table)
tables.set_seed(args.seed)
size = tables.observation_spec["observation"].shape[-1]
logits, critic = Logits(size, tables.action_spec.space.n), ValueOperator(layers(size, 1))
network = TensorDictModule(logits, ["observation", "action_mask"], ["logits"])
actor = ProbabilisticActor(
    network, in_keys=["logits"], distribution_class=Categorical, return_log_prob=True
)
loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01, critic_coeff=0.5, normalize_advantage=True)
advantages = GAE(gamma=0.99, lmbda=0.95, value_network=critic)
optimizer = torch.optim.Adam(loss.parameters(), 1e-3)
untrained = ObservingAgent("untrained", copy.deepcopy(logits).best)
trained = ObservingAgent("torchrl_ppo", logits.best)
settings = {"frames_per_batch": rollout, "auto_register_policy_transforms": True}
collector = Collector(tables, actor, total_frames=rollout * num_rollouts, **settings)
curve = LearningCurve(trained)
for k, played in enumerate(collector, start=1):
    with torch.no_grad():
        data = advantages(played).reshape(-1)
    for i in (i for _ in range(4) for i in torch.randperm(len(data)).chunk(4)):
        optimizer.zero_grad()
        sum(value for key, value in loss(data[i]).items() if key.startswith("loss_")).backward()
        nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
        optimizer.step()
    print(curve.measure(k * rollout), flush=True)
final = evaluate(trained, [untrained, "random", "greedy"])
print(final.round(1).to_string(index=False))
print(final.assign(seed=args.seed).to_json(orient="records"))
