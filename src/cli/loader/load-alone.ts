/** The entry of a worker thread that loads files as the process of their Deployment does, and reports the error. */
import { parentPort, workerData } from 'node:worker_threads';
import { loadResources } from '../load-resources.js';

try {
  await loadResources(workerData as readonly string[]);
  parentPort?.postMessage(undefined);
} catch (error) {
  parentPort?.postMessage(error instanceof Error ? error.message : String(error));
}
