import { afterAll, beforeAll, describe, test } from '@jest/globals';
import type { CustomResource } from 'kindwright';
import { installKinds } from '../../e2e/sdk/running-manager.js';
import { FaultCluster } from './fault-cluster.js';
import { assertVerdict, printTable } from './fault-table.js';
import type { Row, RowResult } from './row.js';
import { roundsOf, runRows } from './run-rows.js';
import { ROW_STEP } from './settings.js';

export interface FaultSuite {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly kinds: readonly (abstract new () => CustomResource)[];
  /** How many rows run at the same time. */
  readonly parallel: number;
  readonly apiserverArgs?: readonly string[];
}

/**
 * Declares a test for each row; all of them use one cluster. `FAULT_ROWS` selects rows, and
 * `FAULT_ROW_STEP` one of as many. */
export function faultSuite({ title, rows, kinds, parallel, apiserverArgs = [] }: FaultSuite): void {
  const only = process.env['FAULT_ROWS']?.split(',');
  const selected = rows.filter(({ id }, index) => only?.includes(id) ?? index % ROW_STEP === 0);
  if (selected.length === 0) {
    test(`${title}: no row is selected`, () => undefined);
    return;
  }
  const rounds = roundsOf(selected);
  let cluster: FaultCluster;
  let results: Map<string, Promise<RowResult>>;

  beforeAll(async () => {
    cluster = await FaultCluster.start({ parts: ['etcd', 'apiserver'], apiserverArgs });
    await installKinds(cluster.admin, kinds);
    results = runRows(cluster, rounds, parallel);
  });
  afterAll(async () => {
    printTable(await Promise.all(results.values()));
    await cluster.stop();
  });

  describe(title, () => {
    test.each(rounds.flat().map((row) => [row.id, row.title]))('%s: %s', async (id) => {
      const result = await results.get(id);
      if (!result) throw new Error(`row ${id} was not run`);
      assertVerdict(result);
    });
  });
}
