import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolder } from '../base/make-folder.js';
import { OperatorError } from '../base/operator-error.js';
import { writeAtomically } from '../base/write-atomically.js';

/** A kubeconfig on disk, mode 0600. */
export interface KubeconfigFile {
  readonly path: string;
  /** Removes it with the folder that was made for it; one whose path was given stays. */
  readonly remove: () => void;
}

/** Goes with the process, if that ends before its servers are stopped. */
const temporaryFolders = new Set<string>();
process.once('exit', () => {
  for (const folder of temporaryFolders) rmSync(folder, { recursive: true, force: true });
});

/**
 * Writes to a path, or to a folder of its own in the system's temporary one.
 *
 * @throws OperatorError that names the path and the reason.
 */
export function writeKubeconfig(path: string | undefined, content: string): KubeconfigFile {
  if (path === undefined) return temporaryKubeconfig(content);
  try {
    makeFolder(dirname(path));
    writeAtomically(path, content, 0o600);
  } catch (error) {
    throw new OperatorError(`${path} cannot be written: ${(error as Error).message}`, {
      code: 'E_KUBECONFIG',
      hint: 'give --kubeconfig a file in a folder that can be written',
      cause: error,
    });
  }
  return { path, remove: () => undefined };
}

function temporaryKubeconfig(content: string): KubeconfigFile {
  const folder = mkdtempSync(join(tmpdir(), 'kindwright-'));
  temporaryFolders.add(folder);
  const path = join(folder, 'kubeconfig');
  writeAtomically(path, content, 0o600);
  const remove = (): void => {
    temporaryFolders.delete(folder);
    rmSync(folder, { recursive: true, force: true });
  };
  return { path, remove };
}
