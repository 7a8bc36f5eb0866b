import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.ts';
import { withBuildLock } from './build-lock.ts';
import { KUBERNETES_VERSION } from './versions.ts';

const BINARIES = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubectl',
  'kwok',
  'controller-gen',
] as const;

export type BinaryName = (typeof BINARIES)[number];

/** The paths of the programs, and of the folder with kwok's stages, which simulate nodes and pods. */
export type Binaries = Readonly<Record<BinaryName | 'stages', string>>;

/**
 * The programs of the control plane: from `KUBEBUILDER_ASSETS`, else from the cache, else built into the cache.
 *
 * The cache is `CONTROLPLANE_BIN`, by default `~/.cache/controlplane/<version>`. Rejects with a sentence that says what
 * to install when something is missing and there is no Go to build it with.
 */
export async function findBinaries(env: NodeJS.ProcessEnv = process.env): Promise<Binaries> {
  return Object.fromEntries(await findAll([...BINARIES, 'stages'], env)) as Binaries;
}

/** The path of Helm, found or built like the programs of the control plane; only tests of charts need it. */
export async function findHelm(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  return (await findAll(['helm'], env)).get('helm') ?? '';
}

async function findAll(names: readonly string[], env: NodeJS.ProcessEnv): Promise<Map<string, string>> {
  const cache = cacheFolder(env);
  const assets = env.KUBEBUILDER_ASSETS;
  const found = new Map<string, string>();
  for (const name of names) {
    const path = await firstExecutable([assets, cache], name);
    if (path !== undefined) found.set(name, path);
  }
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0) {
    await withBuildLock(cache, async () => {
      const absent = missing.filter((name) => !existsSync(join(cache, name))); // another process may have built them
      await build(cache, absent, env);
    });
    for (const name of missing) found.set(name, join(cache, name));
  }
  return found;
}

function cacheFolder(env: NodeJS.ProcessEnv): string {
  const root = env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return env.CONTROLPLANE_BIN ?? join(root, 'controlplane', KUBERNETES_VERSION);
}

async function firstExecutable(folders: readonly (string | undefined)[], name: string): Promise<string | undefined> {
  for (const folder of folders) {
    if (folder === undefined) continue;
    const path = join(folder, name);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}
