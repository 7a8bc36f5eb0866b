import { setTimeout as delay } from 'node:timers/promises';
import type { ControlPlane } from '../../test/controlplane/control-plane.ts';
import { cpuSeconds, memory } from './process-usage.ts';
import type { RunningOperator } from './running-operator.ts';

/** What one step took, with the work that it left to others. */
export interface Measurement {
  readonly seconds: number;
  readonly operatorCpu: number;
  readonly apiServerCpu: number;
  readonly residentMb: number;
  readonly peakMb: number;
  /** For each object. */
  readonly reconciles: number;
  /** The number of requests of the operator for each object, by verb and resource. */
  readonly requests: Readonly<Record<string, number>>;
}

/** A step ends when the API server has used less than this share of a core for a while. */
const IDLE_SHARE = 0.2;
const IDLE_SECONDS = 2;
const MOST_SECONDS = 60;

export interface Step {
  readonly controlPlane: ControlPlane;
  /** The user that the operator authenticates as. */
  readonly user: string;
  readonly count: number;
  readonly signal: AbortSignal;
  /** Resolves with the operator, which the step starts if it does not run, when the objects are right. */
  run(): Promise<RunningOperator>;
  /** The operator if it runs already, so that only its further CPU time counts. */
  readonly operator?: RunningOperator;
}

export async function measure(step: Step): Promise<Measurement & { readonly operator: RunningOperator }> {
  const { controlPlane, operator: before, count, signal } = step;
  const apiServer = controlPlane.pidOf('apiserver') ?? 0;
  const operatorBefore = before ? cpuSeconds(before.pid) : 0;
  const reconcilesBefore = (await before?.reconciles()) ?? 0;
  const apiServerBefore = cpuSeconds(apiServer);
  const startTime = new Date().toISOString();
  const start = performance.now();
  const operator = await step.run();
  const seconds = (performance.now() - start) / 1000;
  await untilIdle(apiServer, signal);
  return {
    operator,
    seconds,
    operatorCpu: cpuSeconds(operator.pid) - operatorBefore,
    apiServerCpu: cpuSeconds(apiServer) - apiServerBefore,
    ...memory(operator.pid),
    reconciles: ((await operator.reconciles()) - reconcilesBefore) / count,
    requests: await requestsSince(step, startTime),
  };
}

/** The controllers of the cluster and the operator react to the last changes. */
async function untilIdle(pid: number, signal: AbortSignal): Promise<void> {
  for (let waited = 0; waited < MOST_SECONDS; waited += IDLE_SECONDS) {
    const before = cpuSeconds(pid);
    await delay(IDLE_SECONDS * 1000, undefined, { signal });
    if (cpuSeconds(pid) - before < IDLE_SHARE * IDLE_SECONDS) return;
  }
}

/** Without reviews of access, leases, and the lists and watches of caches, whose number does not depend on objects. */
async function requestsSince(
  { controlPlane, user, count: objects }: Step,
  time: string,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const call of await controlPlane.auditEvents()) {
    const isCounted = call.user === user && call.time >= time && !['list', 'watch'].includes(call.verb);
    if (!isCounted || call.resource === undefined || /^(selfsubject\w+reviews|leases)$/.test(call.resource)) continue;
    const code = call.code >= 400 ? ` (${call.code})` : '';
    const request = `${call.verb} ${[call.resource, call.subresource].filter(Boolean).join('/')}${code}`;
    counts[request] = (counts[request] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).map(([request, count]) => [request, count / objects]));
}
