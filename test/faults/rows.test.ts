import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { installKinds } from '../e2e/sdk/running-manager.js';
import { FaultCluster } from './harness/fault-cluster.js';
import { assertVerdict, printReasons, printTable } from './harness/fault-table.js';
import { Axle, Gear } from './harness/gear.js';
import type { RowResult } from './harness/row.js';
import { runRows } from './harness/run-rows.js';
import { NOT_INJECTED } from './known-failures.js';
import { ROWS } from './rows/rows.js';

const only = process.env['FAULT_ROWS']?.split(',');
const rows = ROWS.filter(({ id }) => only?.includes(id) ?? true);

let cluster: FaultCluster;
let results: Map<string, Promise<RowResult>>;

beforeAll(async () => {
  cluster = await FaultCluster.start({ parts: ['etcd', 'apiserver'] });
  await installKinds(cluster.admin, [Gear, Axle]);
  results = runRows(cluster, rows);
});
afterAll(async () => {
  printTable(await Promise.all(results.values()));
  printReasons(NOT_INJECTED);
  await cluster.stop();
});

describe('a manager behind the fault proxy', () => {
  test.each(rows.map(({ id, title }) => [id, title]))('%s: %s', async (id) => {
    const result = await results.get(id);
    if (!result) throw new Error(`row ${id} was not run`);
    assertVerdict(result);
  });
});
