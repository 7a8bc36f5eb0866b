import { PARTS } from './command-line.ts';
import { ControlPlane, type ControlPlaneOptions } from './control-plane.ts';
import { LentControlPlane } from './lent-control-plane.ts';
import { POOL_VARIABLE } from './pool-messages.ts';

/** What a suite can do with a control plane that other suites use before and after it. */
export type RunningControlPlane = Pick<
  ControlPlane,
  'auditEvents' | 'dir' | 'get' | 'kubeconfig' | 'kubectl' | 'server' | 'startPart' | 'stop' | 'stopPart' | 'user'
>;

/**
 * A real control plane with the contents of a new one: one of the pool, if the run of jest has a pool, or a new one. With
 * `dir`, `nodes` or `apiserverArgs` it is always new.
 */
export function startControlPlane(options: ControlPlaneOptions = {}): Promise<RunningControlPlane> {
  const { parts = PARTS, dir, nodes, apiserverArgs } = options;
  const pool = process.env[POOL_VARIABLE];
  const isUsual = dir === undefined && nodes === undefined && apiserverArgs === undefined;
  return isUsual && pool !== undefined ? LentControlPlane.borrow(pool, parts) : ControlPlane.start(options);
}
