import { afterEach, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CronJob, setFeatureGates } from 'kindwright';
import { eventually, startCluster, type Cluster } from 'kindwright/testing';
import { Store } from '../../docs/examples/gated-store.js';
import { modulesOf } from './doc-files.js';

let cluster: Cluster | undefined;
afterEach(async () => {
  setFeatureGates({});
  await cluster?.stop();
  cluster = undefined;
});

test('docs/feature-gates.md shows the example', () => {
  const file = join(import.meta.dirname, '../../docs/examples/gated-store.ts');
  expect(modulesOf('docs/feature-gates.md')).toEqual([readFileSync(file, 'utf8')]);
});

/** Starts the operator, creates a store with a schedule, and returns the schedule that is stored. */
async function createSchedule(): Promise<string | undefined> {
  const started = await startCluster({ server: 'embedded' });
  cluster = started;
  await started.run(Store);
  const { spec } = await started.create(Store, {
    metadata: { name: 'data', namespace: 'default' },
    spec: { size: 1, schedule: '0 3 * * *' },
  });
  return spec.schedule;
}

test('the backups of a store exist only with the gate', async () => {
  setFeatureGates({ Backups: true });
  expect(await createSchedule()).toBe('0 3 * * *');
  await eventually(async () => {
    const { spec } = await cluster!.client.get(CronJob, 'data', { namespace: 'default' });
    expect(spec.schedule).toBe('0 3 * * *');
  });
});

test('without the gate the API server drops the schedule of a store', async () => {
  expect(await createSchedule()).toBeUndefined();
});
