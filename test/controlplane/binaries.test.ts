import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBinaries } from './binaries.js';

const ALL = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubectl',
  'kwok',
  'controller-gen',
];

let root: string;
let assets: string;
let cache: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'binaries-'));
  [assets, cache] = [join(root, 'assets'), join(root, 'cache')];
});
afterEach(() => rm(root, { recursive: true }));

async function fill(folder: string, names: readonly string[]): Promise<void> {
  await mkdir(join(folder, 'stages'), { recursive: true });
  for (const name of names) await writeFile(join(folder, name), '', { mode: 0o755 });
}

/** No Go is found on this path. */
const environment = (): NodeJS.ProcessEnv => ({ PATH: root, CONTROLPLANE_BIN: cache });

describe('the programs of the control plane', () => {
  test('the programs of the control plane are taken from the cache', async () => {
    await fill(cache, ALL);
    expect(await findBinaries(environment())).toMatchObject({
      etcd: join(cache, 'etcd'),
      stages: join(cache, 'stages'),
    });
  });

  test('KUBEBUILDER_ASSETS takes precedence over the cache, which has the missing programs', async () => {
    await fill(assets, ['etcd', 'kube-apiserver', 'kubectl']);
    await fill(cache, ALL);
    const binaries = await findBinaries({ ...environment(), KUBEBUILDER_ASSETS: assets });
    expect(binaries).toMatchObject({ kubectl: join(assets, 'kubectl'), kwok: join(cache, 'kwok') });
  });

  test('the cache is searched below XDG_CACHE_HOME by version', async () => {
    const folder = join(root, 'controlplane', 'v1.36.3');
    await fill(folder, ALL);
    expect((await findBinaries({ PATH: root, XDG_CACHE_HOME: root })).etcd).toBe(join(folder, 'etcd'));
  });

  test('missing programs without Go are an error that lists what to install', async () => {
    await fill(cache, ['etcd', 'kubectl']);
    await expect(findBinaries(environment())).rejects.toThrow(
      /\(kube-apiserver, kube-controller-manager, .*\) and cannot be built: install Go >= 1\.26 .*, or set KUBEBUILDER_ASSETS/,
    );
  });
});
