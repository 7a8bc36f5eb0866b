import type { ControlPlaneOptions } from '../controlplane/control-plane.js';
import { startControlPlane, type RunningControlPlane } from '../controlplane/start-control-plane.js';
import { EmbeddedControlPlane } from './embedded-control-plane.js';

/** The server that the suites run on; each jest project sets it in its `globals`. */
declare const E2E_SERVER: 'embedded' | 'real';

/** The operations that a suite can use on both servers, such as a stop and start of the API server. */
export type SuiteControlPlane = Omit<RunningControlPlane, 'get'>;

export function startSuiteControlPlane(options: ControlPlaneOptions = {}): Promise<SuiteControlPlane> {
  return E2E_SERVER === 'real' ? startControlPlane(options) : EmbeddedControlPlane.start(options);
}
