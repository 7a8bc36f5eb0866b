import type { Run } from '../../api/reconcile/reconcile-observer.js';
import type { Clock } from '../../base/clock.js';
import type { MetricsSampler } from '../recorder/metrics-sampler.js';
import type { CachedObjects } from '../cached-objects.js';
import { errorLine } from '../view/error-detail.js';
import { kindId } from '../kind-id.js';
import type { ObjectRefWire } from '../wire.js';
import type { OwnFinding } from './new-finding.js';

const STUCK_MS = 30_000;
/** A run is stuck when it takes this many times as long as 99 % of the others. */
const STUCK_FACTOR = 10;
/** Seconds in which all workers are busy and keys wait. */
const STARVING_SAMPLES = 60;
/** A watch reconnects within this time. */
const BLIND_MS = 60_000;

export interface PresentState {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly objects: CachedObjects;
  readonly metrics: MetricsSampler;
  readonly running: () => readonly Run[];
  readonly refOf: (run: Run) => ObjectRefWire;
}

/** Returns the problems that can be seen at this moment: reconciles that hang, too few workers, watches that fail. */
export function presentProblems(state: PresentState): OwnFinding[] {
  return [...stuckRuns(state), ...starving(state), ...blindWatches(state)];
}

function stuckRuns({ clock, metrics, running, refOf }: PresentState): OwnFinding[] {
  const nowMs = clock.monotonic();
  return running().flatMap((run): OwnFinding[] => {
    const ms = nowMs - run.startMs;
    const limitMs = Math.max(STUCK_MS, STUCK_FACTOR * (metrics.percentilesOf(run.controller)?.p99 ?? 0));
    if (ms < limitMs) return [];
    const op = run.ops.at(-1);
    const waiting = op && op.ms === undefined && op.do !== 'event' ? `, in ${op.do} ${op.kind.kind}` : '';
    return [
      {
        id: `stuck ${run.controller} ${run.key}`,
        rule: 'stuck',
        level: 'warning',
        controller: run.controller,
        object: refOf(run),
        message: `the reconcile of ${run.controller} ${run.key} has been running for ${Math.round(ms / 1000)} s${waiting}`,
        hint: 'pass ctx.signal to what it waits for, and set reconcileTimeout in @Controller',
        runs: [run.id],
      },
    ];
  });
}

function starving({ metrics, objects }: PresentState): OwnFinding[] {
  const samples = metrics.samples.slice(-STARVING_SAMPLES);
  if (samples.length < STARVING_SAMPLES) return [];
  return objects.controllerInfos().flatMap(({ name, maxConcurrentReconciles }): OwnFinding[] => {
    const isBusy = samples.every(({ controllers }) => {
      const { busy = 0, queued = 0 } = controllers[name] ?? {};
      return busy >= maxConcurrentReconciles && queued > 0;
    });
    if (!isBusy) return [];
    return [
      {
        id: `starving ${name}`,
        rule: 'starving',
        level: 'warning',
        controller: name,
        message: `all ${maxConcurrentReconciles} workers of ${name} have been busy for a minute while objects wait`,
        hint: `raise maxConcurrentReconciles in @Controller, or with --controller ${name}.maxConcurrentReconciles=…`,
        runs: [],
      },
    ];
  });
}

function blindWatches({ objects }: PresentState): OwnFinding[] {
  return objects.informers.flatMap(({ item: informer }): OwnFinding[] => {
    const { kind, lastError, namespace, msSinceLastEvent = Infinity } = informer;
    if (!lastError || msSinceLastEvent < BLIND_MS) return [];
    const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
    const user = objects.controllers.find(({ item }) =>
      [...item.informers, ...item.watchedInformers].includes(informer),
    );
    return [
      {
        id: `blind-watch ${kindId(kind)} ${namespace ?? ''}`,
        rule: 'blind-watch',
        level: 'error',
        ...(user && { controller: user.item.name }),
        message: `${kind.plural}${where} cannot be watched: ${errorLine(lastError)}`,
        hint: 'check the permissions of the operator and the connection to the API server',
        runs: [],
      },
    ];
  });
}
