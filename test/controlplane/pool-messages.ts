import type { PartName } from './command-line.ts';

/** The environment variable with the path of the pool's socket, for the processes that run suites. */
export const POOL_VARIABLE = 'CONTROL_PLANE_POOL';

/** What a suite requests from the pool. A connection is for one control plane. */
export type PoolRequest =
  | { readonly do: 'lend'; readonly parts: readonly PartName[] }
  | { readonly do: 'startPart'; readonly name: PartName }
  | { readonly do: 'stopPart'; readonly name: PartName; readonly signal: NodeJS.Signals }
  | { readonly do: 'return' }
  /** Stops all control planes, at the end of the run. */
  | { readonly do: 'end' };

export interface PoolReply {
  readonly error?: string;
  /** The folder of the control plane that is lent. */
  readonly dir?: string;
}
