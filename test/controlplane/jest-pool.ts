import setup from './jest-setup.ts';
import { ControlPlanePool } from './control-plane-pool.ts';
import { POOL_VARIABLE } from './pool-messages.ts';

/** Starts the pool of control planes, which is empty until a suite needs one. */
// eslint-disable-next-line kindwright/no-default-exports -- jest calls the default export
export default async function setupPool(): Promise<void> {
  await setup();
  const pool = await ControlPlanePool.start();
  process.env[POOL_VARIABLE] = pool.socket;
}
