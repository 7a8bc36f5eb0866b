import { PoolConnection } from './pool-connection.ts';
import { POOL_VARIABLE } from './pool-messages.ts';

/** Ends the pool of control planes. */
// eslint-disable-next-line kindwright/no-default-exports -- jest calls the default export
export default async function endPool(): Promise<void> {
  const path = process.env[POOL_VARIABLE];
  if (path === undefined) return;
  const connection = await PoolConnection.open(path);
  await connection.request({ do: 'end' });
  connection.close();
}
