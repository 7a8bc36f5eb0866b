import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cache, goBuild } from '../build-candidates.ts';

const root = join(import.meta.dirname, '..', '..');

export type OperatorName = 'podset' | 'nodepool';

export interface OperatorOptions {
  readonly operator: OperatorName;
  readonly metricsAddress: string;
  readonly workers: number;
  /** Where a Node process writes its CPU profile when it ends. */
  readonly profileFolder?: string;
}

/** An SDK with the operators PodSet and NodePool. */
export interface Candidate {
  readonly name: string;
  build(): void;
  command(options: OperatorOptions): readonly [string, ...string[]];
}

export const CANDIDATES: readonly Candidate[] = [
  {
    name: 'kindwright',
    build: () => undefined, // `npm run bench:cluster` has built dist/
    command: ({ operator, metricsAddress, workers, profileFolder }) => {
      const profile = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
      const script = join(root, 'dist', 'cli', 'bin', 'run-operator.js');
      const options = ['--metrics-bind-address', metricsAddress, '--log-level', 'warn'];
      const override = `${operator}.maxConcurrentReconciles=${workers}`;
      // The option of V8 is that of the generated Dockerfile.
      const node = [process.execPath, '--max-semi-space-size=8', ...profile] as const;
      return [...node, script, join(root, 'operators', `${operator}.ts`), ...options, '--controller', override];
    },
  },
  {
    name: 'controller-runtime',
    build: () => {
      mkdirSync(cache, { recursive: true });
      goBuild('cr-go', 'cluster-operators', './cluster');
    },
    command: ({ operator, metricsAddress, workers }) => {
      const program = join(cache, 'cr-go', 'cluster-operators');
      return [program, operator, '-metrics', metricsAddress, '-workers', String(workers)];
    },
  },
];
