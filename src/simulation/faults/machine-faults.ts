import type { Fault, Lasting } from './fault.js';
import type { RunningPlan } from '../world/running-plan.js';
import type { Hold } from '../world/step-scheduler.js';

const SLOW_MS = 600_000;
const BLOCKED_MS = 20_000;
const HOUR_MS = 3_600_000;

const slow: Fault = {
  name: 'slow',
  words: 'a controller of Kubernetes works ten minutes late',
  points: ['committed', 'step', 'reconcile ends'],
  variants: ['garbage-collector', 'deployment', 'replicaset', 'kubelet', 'kube-scheduler', 'namespace'].map(
    (controller) => ({ controller }),
  ),
  begin: (run, _event, { controller = 'garbage-collector', ms = SLOW_MS }) =>
    holding(run, (step) => step.task.controller?.includes(String(controller)) === true, Number(ms)),
};

const blocked: Fault = {
  name: 'blocked',
  words: 'the process of the operator stands still for 20 seconds',
  points: ['reconcile begins', 'delivered', 'answered'],
  variants: [{ ms: BLOCKED_MS }],
  begin: (run, { process }, { ms = BLOCKED_MS }) =>
    holding(run, ({ task }) => task.owner === process?.owner, Number(ms)),
};

const clock: Fault = {
  name: 'clock',
  words: 'the wall clock jumps',
  points: ['reconcile begins', 'step'],
  variants: [{ ms: HOUR_MS }, { ms: -HOUR_MS }],
  begin: ({ world }, _event, { ms = HOUR_MS }) => {
    world.skewMs += Number(ms);
    return undefined;
  },
};

export const MACHINE_FAULTS: readonly Fault[] = [slow, blocked, clock];

function holding({ world: { scheduler } }: RunningPlan, matches: Hold['matches'], forMs: number): Lasting {
  const hold = scheduler.hold(matches, forMs);
  return {
    isOver: () => scheduler.nowMs >= hold.untilMs,
    end: () => {
      scheduler.release(hold);
    },
  };
}
