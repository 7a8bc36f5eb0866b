/** The entry of a worker thread that runs plans. */
import os from 'node:os';
import { syncBuiltinESMExports } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { installGlobals } from '../world/globals.js';
import type { RunRequest } from '../world/simulate-plan.js';

/** The data that a worker is started with. */
export interface WorkerData {
  readonly files: readonly string[];
  /** One number, which grows with each step. */
  readonly beats: SharedArrayBuffer;
}

const { files, beats } = workerData as WorkerData;
const counter = new Int32Array(beats);
os.hostname = () => 'simulation';
syncBuiltinESMExports();
installGlobals();

const { PlanRunner } = await import('./plan-runner.js');

try {
  const runner = await PlanRunner.load(files, () => {
    Atomics.add(counter, 0, 1);
  });
  parentPort?.on('message', ({ id, plan, isTraced }: RunRequest) => {
    runner.run(plan, isTraced).then(
      (history) => parentPort?.postMessage({ id, history, lives: runner.lives }),
      (error: unknown) => parentPort?.postMessage({ id, error, lives: runner.lives }),
    );
  });
  parentPort?.postMessage({ ready: true });
} catch (error) {
  parentPort?.postMessage({ error });
}
