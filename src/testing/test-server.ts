/** An API server that a test has for itself. */
export interface TestServer {
  /** Path of a kubeconfig for the administrator. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}
