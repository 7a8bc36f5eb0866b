import { Client, loadClusterConfig } from 'kindwright';
import { setTimeout as delay } from 'node:timers/promises';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { ControlPlane } from '../../test/controlplane/control-plane.ts';
import type { Candidate } from './candidates.ts';
import { measure, type Measurement, type Step } from './measurement.ts';
import { RunningOperator } from './running-operator.ts';
import type { Scenario } from './scenarios.ts';

const METRICS_ADDRESS = '127.0.0.1:18380';
const USER = 'operator';
const SETTLE_MS = 3000;
const crds = join(import.meta.dirname, '..', '..', 'crds-out');

/** A control plane with one operator, as a scenario uses it. */
export interface Cluster {
  /** The administrator's. */
  readonly client: Client;
  /** The number of objects or nodes. */
  readonly count: number;
  readonly signal: AbortSignal;
  startOperator(): RunningOperator;
  /** Returns the operator that the step has used. */
  measure(step: Pick<Step, 'operator' | 'run'> & { readonly name: string }): Promise<RunningOperator>;
}

export interface RunOptions {
  readonly candidate: Candidate;
  readonly scenario: Scenario;
  readonly count: number;
  readonly workers: number;
  readonly profileFolder?: string;
  readonly signal: AbortSignal;
  readonly report: (step: string, measurement: Measurement) => void;
}

/** Runs a scenario on a new control plane. */
export async function runScenario(options: RunOptions): Promise<void> {
  const { scenario, count } = options;
  const nodes = scenario.counts === 'nodes' ? count : 0;
  const controlPlane = await ControlPlane.start({ parts: scenario.parts, nodes, audit: true });
  try {
    await runOn(controlPlane, options);
  } finally {
    await controlPlane.stop();
  }
}

async function runOn(controlPlane: ControlPlane, options: RunOptions): Promise<void> {
  const { candidate, scenario, count, workers, profileFolder, signal, report } = options;
  const { operator: name } = scenario;
  for (const file of globSync(`*_${name}s.yaml`, { cwd: crds })) {
    await controlPlane.kubectl(['apply', '-f', join(crds, file)]);
    await controlPlane.kubectl(['wait', '--for=condition=Established', '-f', join(crds, file)]);
  }
  const kubeconfig = await controlPlane.user(USER, 'system:masters');
  const client = new Client(await loadClusterConfig({ kubeconfig: controlPlane.kubeconfig }));
  const profile = profileFolder === undefined ? {} : { profileFolder };
  const command = candidate.command({ operator: name, metricsAddress: METRICS_ADDRESS, workers, ...profile });
  const operators: RunningOperator[] = [];
  const cluster: Cluster = {
    client,
    count,
    signal,
    startOperator: () => {
      const operator = new RunningOperator(command, kubeconfig, METRICS_ADDRESS);
      operators.push(operator);
      return operator;
    },
    measure: async (step) => {
      await delay(SETTLE_MS, undefined, { signal }); // the garbage of the API server from the step before
      const { operator, ...measurement } = await measure({ ...step, controlPlane, user: USER, count, signal });
      report(step.name, measurement);
      return operator;
    },
  };
  try {
    await scenario.run(cluster);
  } finally {
    await Promise.all(operators.map((operator) => operator.stop()));
    client.close();
  }
}
