import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBinaries } from '../controlplane/binaries.ts';
import { decompressed } from './compressed-text.ts';

export const goldenFolder = join(import.meta.dirname, '..', 'manifests', 'golden');

/** The output of controller-gen for the Go types in test/manifests/golden/go: file name → text. Requires Go. */
export async function generateGoldenCrds(): Promise<Map<string, string>> {
  const binaries = await findBinaries();
  const out = await mkdtemp(join(tmpdir(), 'golden-crds-'));
  try {
    const args = ['crd:generateEmbeddedObjectMeta=true', 'paths=./...', `output:crd:dir=${out}`];
    await promisify(execFile)(binaries['controller-gen'], args, { cwd: join(goldenFolder, 'go') });
    return await readYamlFiles(out);
  } finally {
    await rm(out, { recursive: true });
  }
}

/** The YAML files of a folder, also compressed ones (`.yaml.br`): name without `.br` → text. */
export async function readYamlFiles(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder)).filter((name) => /\.yaml(\.br)?$/.test(name)).sort();
  const read = async (name: string): Promise<[string, string]> => {
    const content = await readFile(join(folder, name));
    return name.endsWith('.br') ? [name.slice(0, -'.br'.length), decompressed(content)] : [name, content.toString()];
  };
  return new Map(await Promise.all(names.map(read)));
}
