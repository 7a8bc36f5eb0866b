// Converts 10,000 random objects of each version of public kinds with several versions there and back: those that the
// repository contains, and those of Go modules. ROUND_TRIP_OBJECTS is another number of objects.
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { KUBERNETES_VERSION } from '../controlplane/versions.ts';

/** Files with definitions, by module. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  'istio.io/api@v1.31.4': ['kubernetes/customresourcedefinitions.gen.yaml'],
  [`k8s.io/kubernetes@${KUBERNETES_VERSION}`]: [
    'test/e2e/testing-manifests/storage-csi/external-snapshotter/*snapshot*.yaml',
    'cluster/addons/volumesnapshots/crd/*.yaml',
  ],
};

const folder = mkdtempSync(join(tmpdir(), 'round-trips-'));
try {
  for (const [module, patterns] of Object.entries(MODULES)) copyDefinitions(downloaded(module), patterns);
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
  const { status } = spawnSync(process.execPath, [...jest, 'test/webhooks/public-crds', '--selectProjects', 'unit'], {
    stdio: 'inherit',
    env: { ROUND_TRIP_OBJECTS: '10000', ...process.env, ROUND_TRIP_CRDS: folder },
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** Returns the folder of a module. */
function downloaded(module: string): string {
  const { stdout, stderr, error } = spawnSync('go', ['mod', 'download', '-json', module], {
    cwd: folder,
    encoding: 'utf8',
  });
  const { Dir: path } = (error ? {} : JSON.parse(stdout)) as { Dir?: string };
  if (path === undefined) throw new Error(`${module} cannot be downloaded: ${error?.message ?? `${stdout}${stderr}`}`);
  return path;
}

function copyDefinitions(path: string, patterns: readonly string[]): void {
  const files = globSync([...patterns], { cwd: path });
  if (files.length === 0) throw new Error(`${path} has no file ${patterns.join(', ')}`);
  for (const file of files) copyFileSync(join(path, file), join(folder, basename(file)));
}
