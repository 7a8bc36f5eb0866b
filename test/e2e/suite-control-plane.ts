import { ControlPlane, type ControlPlaneOptions } from '../controlplane/control-plane.js';
import { EmbeddedControlPlane } from './embedded-control-plane.js';

/** Which server the suites run on: each jest project says so in its `globals`. */
declare const E2E_SERVER: 'embedded' | 'real';

/** What a suite may do with its cluster that runs on both servers: stop and start the API server, among others. */
export type SuiteControlPlane = Pick<
  ControlPlane,
  'auditEvents' | 'dir' | 'kubeconfig' | 'kubectl' | 'server' | 'startPart' | 'stop' | 'stopPart' | 'user'
>;

export function startSuiteControlPlane(options: ControlPlaneOptions = {}): Promise<SuiteControlPlane> {
  return E2E_SERVER === 'real' ? ControlPlane.start(options) : EmbeddedControlPlane.start(options);
}
