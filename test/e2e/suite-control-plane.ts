import type { ControlPlaneOptions } from '../controlplane/control-plane.js';
import { startControlPlane, type RunningControlPlane } from '../controlplane/start-control-plane.js';
import { limitTests } from '../time-limits.js';
import { EmbeddedControlPlane } from './embedded-control-plane.js';

/** The server that the suites run on; each jest project sets it in its `globals`. */
declare const E2E_SERVER: 'embedded' | 'real';

// Operators are processes, and garbage is collected within.
limitTests(120_000);

/** The operations that a suite can use on both servers, such as a stop and start of the API server. */
export type SuiteControlPlane = Omit<RunningControlPlane, 'get'>;

export function startSuiteControlPlane(options: ControlPlaneOptions = {}): Promise<SuiteControlPlane> {
  return E2E_SERVER === 'real' ? startControlPlane(options) : EmbeddedControlPlane.start(options);
}

/**
 * Kubernetes' garbage collector looks for new kinds when it starts and every 30 s then, and knows of no owner before it has
 * found its kind: with a restart, a suite that has installed kinds does not wait for that.
 */
export async function restartGarbageCollector(cluster: SuiteControlPlane): Promise<void> {
  if (E2E_SERVER === 'embedded') return;
  await cluster.stopPart('controller-manager', 'SIGKILL');
  await cluster.startPart('controller-manager');
}
