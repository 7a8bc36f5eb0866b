import { startCluster } from 'kindwright/testing';
import { startControlPlane } from '../controlplane/start-control-plane.js';
import { limitTests } from '../time-limits.js';

/** The server that the suites run on; each jest project sets it in its `globals`. */
declare const E2E_SERVER: 'embedded' | 'real';

// Operators are processes, and garbage is collected within.
limitTests(120_000);

/** The common interface of the embedded server and a real control plane. */
export interface SuiteCluster {
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

export function startSuiteCluster(): Promise<SuiteCluster> {
  return E2E_SERVER === 'real' ? startControlPlane() : startCluster({ real: false });
}
