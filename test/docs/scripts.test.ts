import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { ConfigMap, Deployment, Pod, ServiceAccount, type ApiClient, type Client } from 'kindwright';
import { startCluster, type Cluster } from 'kindwright/testing';
import { testOf } from './block-tests.js';
import { blocksOf, moduleWith, PAGES } from './doc-files.js';

const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(root, 'test', 'docs', 'scripts-'));
const namespace = 'default';
const { KUBECONFIG } = process.env;
let cluster: Cluster;

beforeAll(() => {
  mkdirSync(join(folder, 'operators'));
  writeFileSync(join(folder, 'operators', 'podset.ts'), moduleWith('README.md', 'class PodSetSpec'));
  jest.spyOn(console, 'log').mockReturnValue(undefined);
});
beforeEach(async () => {
  cluster = await startCluster({ server: 'embedded' });
  process.env['KUBECONFIG'] = cluster.kubeconfig;
  await createObjects();
});
afterEach(() => cluster.stop());
afterAll(() => {
  if (KUBECONFIG === undefined) delete process.env['KUBECONFIG'];
  else process.env['KUBECONFIG'] = KUBECONFIG;
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** The objects that scripts read and change. */
async function createObjects(): Promise<void> {
  const labels = { app: 'web' };
  const spec = { containers: [{ name: 'web', image: 'nginx' }] };
  await cluster.create(ServiceAccount, { metadata: { name: 'builder', namespace } });
  await cluster.create(Deployment, {
    metadata: { name: 'web', namespace },
    spec: { replicas: 0, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  });
  // Not scheduled by the scheduler of the cluster.
  const unscheduled = { ...spec, schedulerName: 'example' };
  await cluster.create(Pod, { metadata: { name: 'web-0', namespace, labels }, spec: unscheduled });
}

/** The calls of exported functions, by name. */
const CALLS: Readonly<Record<string, (exported: never) => Promise<void>>> = {
  async examples(examples: (client: ApiClient, namespace: string) => Promise<void>) {
    await examples(cluster.client, namespace);
    expect((await cluster.client.get(Deployment, 'web', { namespace })).spec?.replicas).toBe(1);
  },
  async withoutDeletions(withoutDeletions: (client: ApiClient) => ApiClient) {
    const client = withoutDeletions(cluster.client);
    await client.create(ConfigMap, { metadata: { name: 'kept', namespace } });
    await expect(client.delete(ConfigMap, 'kept', { namespace })).rejects.toThrow(/must not be deleted/);
  },
  async copy(copy: (client: Client, pod: object) => Promise<{ metadata?: { creationTimestamp?: unknown } }>) {
    const containers = [{ name: 'web', image: 'nginx' }];
    const { metadata } = await copy(cluster.client, { metadata: { name: 'original' }, spec: { containers } });
    expect(metadata?.creationTimestamp).toBeInstanceOf(Date);
  },
};

const testPath = relative(root, import.meta.filename);
const scripts = PAGES.flatMap(blocksOf)
  .filter((block) => block.reason === undefined && testOf(block) === testPath)
  .map((block) => ({ ...block, place: `${block.page}:${block.line}` }));

test.each(scripts)(
  'the script of $place runs',
  async ({ page, line, code }) => {
    const file = join(folder, 'operators', `${basename(page, '.md')}-${String(line)}.ts`);
    writeFileSync(file, code);
    const exported = (await import(file)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported)) {
      if (typeof value !== 'function') continue;
      const call = CALLS[name];
      if (!call) throw new Error(`${page}:${String(line)} exports ${name}: add a call to this test`);
      await call(value as never);
    }
    for (const [, name = '', value = ''] of code.matchAll(/^export const (\w+) = .*; \/\/ ('[^']*'|true|false|\d+)/gm))
      expect(`${name}: ${literal(exported[name])}`).toBe(`${name}: ${value}`);
  },
  60_000,
);

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}
