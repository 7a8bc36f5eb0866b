import type { ServerFaults } from '../apiserver/server/server-faults.js';

/** An API server that a test has for itself. */
export interface TestServer {
  /** Path of a kubeconfig for the administrator. */
  readonly kubeconfig: string;
  /** Disturbs requests; a real API server has none. */
  readonly faults?: ServerFaults;
  stop(): Promise<void>;
}
