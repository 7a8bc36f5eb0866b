import { execFile } from 'node:child_process';
import { cp, mkdtemp, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CONTROLLER_GEN_VERSION, GO_VERSION, HELM_VERSION, KUBERNETES_VERSION, KWOK_VERSION } from './versions.ts';

const run = promisify(execFile);
const here = import.meta.dirname;

const VERSION_PACKAGE = 'k8s.io/component-base/version';
const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(KUBERNETES_VERSION) ?? [];
const LINKER_FLAGS = [
  '-s -w',
  `-X ${VERSION_PACKAGE}.gitVersion=${KUBERNETES_VERSION}`,
  `-X ${VERSION_PACKAGE}.gitMajor=${major}`,
  `-X ${VERSION_PACKAGE}.gitMinor=${minor}`,
].join(' ');

const INSTALLED: Readonly<Record<string, string>> = {
  kwok: `sigs.k8s.io/kwok/cmd/kwok@${KWOK_VERSION}`,
  'controller-gen': `sigs.k8s.io/controller-tools/cmd/controller-gen@${CONTROLLER_GEN_VERSION}`,
  helm: `helm.sh/helm/v3/cmd/helm@${HELM_VERSION}`,
};

/**
 * Builds programs from the Go module proxy into `folder`. Each appears there complete or not at all.
 *
 * About six minutes on two cores for all of them.
 */
export async function build(folder: string, names: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  if (names.length === 0) return;
  await checkGo(names, env);
  await mkdir(folder, { recursive: true });
  const unfinished = await mkdtemp(join(folder, '.build-'));
  try {
    for (const name of names) {
      progress(`building ${name} for ${folder}`);
      const start = performance.now();
      await buildOne(name, unfinished, env);
      await rename(join(unfinished, name), join(folder, name));
      progress(`built ${name} in ${((performance.now() - start) / 1000).toFixed(0)} s`);
    }
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function buildOne(name: string, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  if (name === 'stages') {
    const { stdout } = await go(['mod', 'download', '-json', `sigs.k8s.io/kwok@${KWOK_VERSION}`], env);
    const { Dir } = JSON.parse(stdout) as { Dir: string };
    await copyWritable(join(Dir, 'kustomize', 'stage'), join(folder, name));
  } else if (INSTALLED[name] !== undefined) {
    await go(['install', INSTALLED[name]], { ...env, GOBIN: folder });
  } else {
    const flags = ['-trimpath', '-buildvcs=false', '-ldflags', LINKER_FLAGS, '-o', join(folder, name)];
    await go(['build', ...flags, `./cmd/${name}`], env);
  }
}

/** The module cache is read-only, and a copy that keeps this could not be deleted. */
async function copyWritable(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true });
  await run('chmod', ['-R', 'u+w', to]);
}

async function go(args: readonly string[], env: NodeJS.ProcessEnv): Promise<{ stdout: string }> {
  return run('go', args, { cwd: here, env, maxBuffer: 1 << 28 });
}

async function checkGo(names: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  try {
    await go(['version'], env); // go.mod makes it switch to the release that it requires
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new Error(
      `the Kubernetes control plane is not there (${names.join(', ')}) and cannot be built: install Go >= ${GO_VERSION} ` +
        `(https://go.dev/dl), or set KUBEBUILDER_ASSETS to a folder with these programs` +
        (isAbsent ? '' : `; ${String(error)}`),
      { cause: error },
    );
  }
}

function progress(line: string): void {
  process.stderr.write(`controlplane: ${line}\n`);
}
