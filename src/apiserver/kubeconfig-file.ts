import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolder } from '../base/make-folder.js';
import { OperatorError } from '../base/operator-error.js';
import { writeAtomically } from '../base/write-atomically.js';

/** A kubeconfig on disk, mode 0600. */
export interface KubeconfigFile {
  readonly path: string;
  /** Removes a temporary file and its folder; a file at a given path is kept. */
  readonly remove: () => void;
}

const TEMPORARY_HINT = 'set TMPDIR to a writable folder with free disk space';

/** Removed on process exit if their servers were not stopped. */
const temporaryFolders = new Set<string>();
process.once('exit', () => {
  for (const folder of temporaryFolders) rmSync(folder, { recursive: true, force: true });
});

/**
 * Writes to a path, or to a new temporary folder.
 * @throws OperatorError with the path and the reason
 */
export function writeKubeconfig(path: string | undefined, content: string): KubeconfigFile {
  if (path === undefined) return temporaryKubeconfig(content);
  try {
    makeFolder(dirname(path));
    writeAtomically(path, content, 0o600);
  } catch (error) {
    throw unwritten(path, 'give --kubeconfig a file in a folder that can be written', error);
  }
  return { path, remove: () => undefined };
}

function temporaryKubeconfig(content: string): KubeconfigFile {
  const folder = makeTemporaryFolder();
  temporaryFolders.add(folder);
  const path = join(folder, 'kubeconfig');
  try {
    writeAtomically(path, content, 0o600);
  } catch (error) {
    throw unwritten(path, TEMPORARY_HINT, error);
  }
  const remove = (): void => {
    temporaryFolders.delete(folder);
    rmSync(folder, { recursive: true, force: true });
  };
  return { path, remove };
}

function makeTemporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'kindwright-'));
  } catch (error) {
    throw unwritten(tmpdir(), TEMPORARY_HINT, error);
  }
}

function unwritten(path: string, hint: string, cause: unknown): OperatorError {
  return new OperatorError(`${path} cannot be written: ${(cause as Error).message}`, {
    code: 'E_KUBECONFIG',
    hint,
    cause,
  });
}

/** Returns a kubeconfig for the administrator of the server. */
export function kubeconfigYaml(server: string, caPem: string, token: string): string {
  return `apiVersion: v1
kind: Config
clusters:
  - name: kindwright
    cluster:
      server: ${server}
      certificate-authority-data: ${Buffer.from(caPem).toString('base64')}
users:
  - name: kindwright
    user:
      token: "${token}"
contexts:
  - name: kindwright
    context:
      cluster: kindwright
      user: kindwright
current-context: kindwright
`;
}
