/**
 * A server in the process of a manager.
 *
 * It is started before the caches, and does not depend on leadership: replicas that wait for the lease serve too.
 */
export interface ManagerServer {
  /** @throws OperatorError when the address cannot be used. */
  start(): Promise<void>;
  /** Has no effect on a server that is not started. */
  close(): Promise<void>;
}
