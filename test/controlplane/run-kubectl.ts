import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBinaries } from './binaries.ts';
import { giveInput } from './give-input.ts';

/** Runs kubectl as the user of a kubeconfig; resolves with its output, and rejects with its error output. */
export async function runKubectl(
  { kubeconfig, dir }: { readonly kubeconfig: string; readonly dir: string },
  args: readonly string[],
  stdin: string,
): Promise<string> {
  const { kubectl } = await findBinaries();
  const env = { ...process.env, KUBECONFIG: kubeconfig, KUBECACHEDIR: join(dir, 'kubectl-cache') };
  const promise = promisify(execFile)(kubectl, args, { env, maxBuffer: 1 << 28 });
  giveInput(promise.child, stdin);
  return (await promise).stdout;
}
