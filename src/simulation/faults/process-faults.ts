import type { RunningPlan } from '../world/running-plan.js';
import type { WorldEvent } from '../world/world-event.js';
import type { Fault, Lasting } from './fault.js';

const SOON_MS = 100;
/** Virtual time without a change after which the others are quiet. */
const LATER_MS = 30_000;
/** Longer than a lease: a standby takes over. */
const TAKEOVER_MS = 60_000;
const LOOPS = 3;

/** Kills the operator at a moment. */
const crash: Fault = {
  name: 'crash',
  words: 'the operator is killed; it restarts at once, when the cluster is quiet, or after the next step of the user',
  points: ['committed', 'sent', 'answered', 'delivered', 'reconcile begins', 'reconcile ends', 'step'],
  variants: [{ restart: 'now' }, { restart: 'later' }, { restart: 'step' }],
  begin: (run, event, { restart = 'now' }) => {
    const name = nameOf(run, event);
    run.crash(name, restart === 'now' ? SOON_MS : undefined);
    return restart === 'now' ? undefined : restartOn(run, name, String(restart));
  },
};

const crashLoop: Fault = {
  name: 'crash-loop',
  words: 'the operator is killed at the same write in several lives',
  points: ['committed'],
  variants: [{ times: LOOPS }],
  begin: (run, event, { times = LOOPS }) => {
    const name = nameOf(run, event);
    let left = Number(times) - 1;
    run.crash(name, SOON_MS);
    return listening(
      run,
      () => left <= 0,
      (next) => {
        if (left <= 0 || next.point !== 'committed' || next.process?.name !== name) return;
        if (next.verb !== event.verb || next.object !== event.object) return;
        left -= 1;
        run.crash(name, SOON_MS);
      },
    );
  },
};

const stop: Fault = {
  name: 'stop',
  words: 'the operator gets SIGTERM and starts again',
  points: ['reconcile begins', 'sent', 'committed'],
  variants: [{}],
  begin: (run, event) => {
    run.processes.get(nameOf(run, event))?.stop();
    return undefined;
  },
};

const down: Fault = {
  name: 'down',
  words: 'the operator is off for a time, in which objects come and go',
  points: ['delivered', 'step', 'reconcile ends'],
  variants: [{ until: 'step' }, { until: 'later' }],
  begin: (run, event, { until = 'step' }) => {
    const name = nameOf(run, event);
    run.crash(name);
    return restartOn(run, name, String(until));
  },
};

const earlyCrash: Fault = {
  name: 'early-crash',
  words: 'the operator is killed while its caches fill',
  points: ['start'],
  variants: [{ events: 1 }, { events: 3 }],
  begin: (run, event, { events = 1 }) => {
    const { process } = event;
    let left = Number(events);
    return listening(
      run,
      () => left <= 0,
      (next) => {
        if (left <= 0 || next.process !== process || (next.point !== 'delivered' && next.point !== 'answered')) return;
        left -= 1;
        if (left === 0) run.crash(nameOf(run, event), SOON_MS);
      },
    );
  },
};

const takeover: Fault = {
  name: 'takeover',
  words:
    'the leader dies, and a replica goes on, with caches that are behind: all, or those of its own or of other kinds',
  points: ['reconcile begins', 'reconcile ends', 'committed', 'step'],
  variants: [
    { dies: 'now', lagMs: TAKEOVER_MS },
    { dies: 'step', lagMs: TAKEOVER_MS, of: 'own' },
    { dies: 'step', lagMs: TAKEOVER_MS, of: 'others' },
    { dies: 'step', lagMs: TAKEOVER_MS },
  ],
  begin: (run, event, { dies = 'now', lagMs = TAKEOVER_MS, of }) => {
    const { scheduler } = run.world;
    const leader = event.process?.name ?? leaderOf(run);
    const standbys = new Set(
      [...run.processes.values()].filter(({ name }) => name !== leader).map(({ owner }) => owner),
    );
    const isLate = (lane: string): boolean => {
      const [, kind = ''] = /^stream \S+ watch (\w+)/.exec(lane) ?? [];
      return kind !== '' && (of === undefined || run.definesKind(kind) === (of === 'own'));
    };
    const hold = scheduler.hold(({ lane, task }) => standbys.has(task.owner) && isLate(lane), Number(lagMs));
    if (dies === 'now') run.crash(leader, TAKEOVER_MS);
    else
      run.afterNextStep(() => {
        run.after(SOON_MS * 10, () => {
          run.crash(leader, TAKEOVER_MS);
        });
      });
    return {
      isOver: () => run.world.scheduler.nowMs >= hold.untilMs,
      end: () => {
        scheduler.release(hold);
      },
    };
  },
};

const twoLeaders: Fault = {
  name: 'two-leaders',
  words: 'another replica takes the lease while the leader still works',
  points: ['reconcile begins', 'committed'],
  variants: [{}],
  begin: (run, event) => {
    const leader = event.process;
    const endMs = run.world.at + TAKEOVER_MS;
    return listening(
      run,
      () => run.world.at >= endMs,
      ({ point, process, exchange }) => {
        if (point !== 'sent' || process !== leader || run.world.at >= endMs) return;
        if (exchange?.info.plural === 'leases') exchange.lose('timeout');
      },
    );
  },
};

export const PROCESS_FAULTS: readonly Fault[] = [crash, crashLoop, stop, down, earlyCrash, takeover, twoLeaders];

/** A lasting fault that sees all events until it ends. */
export function listening(run: RunningPlan, isOver: () => boolean, listener: (event: WorldEvent) => void): Lasting {
  run.listeners.add(listener);
  return {
    isOver,
    end: () => {
      run.listeners.delete(listener);
    },
  };
}

function restartOn(run: RunningPlan, name: string, moment: string): Lasting {
  let isOver = false;
  const restart = (): void => {
    isOver = true;
    run.restart(name);
  };
  if (moment === 'step') run.afterNextStep(restart);
  else run.whenQuiet(LATER_MS, restart);
  return { isOver: () => isOver || moment === 'step', end: () => undefined };
}

function nameOf(run: RunningPlan, { process }: WorldEvent): string {
  return process?.name ?? leaderOf(run);
}

/** The replica that has reconciled last, or the first one. */
function leaderOf(run: RunningPlan): string {
  return run.world.recorder.reconciles.at(-1)?.actor.name ?? run.replicas[0] ?? '';
}
