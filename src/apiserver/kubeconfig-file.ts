import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolder } from '../base/make-folder.js';
import { OperatorError } from '../base/operator-error.js';
import { parseYaml } from '../base/yaml.js';
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

const NAME = 'kindwright';
const LISTS: ReadonlySet<string> = new Set(['clusters', 'users', 'contexts']);
/** `preferences` is added by kubectl, and empty. */
const SETTINGS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'current-context', 'preferences']);

/** Returns whether a text contains only what `kubeconfigYaml` returns: a merged kubeconfig has other entries, too. */
export function isOwnKubeconfig(text: string): boolean {
  let config: unknown;
  try {
    config = parseYaml(text, 'kubeconfig');
  } catch {
    return false;
  }
  if (typeof config !== 'object' || config === null) return false;
  const members = Object.entries(config);
  const lists = members.filter(([key]) => LISTS.has(key));
  return (
    lists.length === LISTS.size &&
    lists.every(([, list]) => isOwnList(list)) &&
    members.every(([key]) => LISTS.has(key) || SETTINGS.has(key))
  );
}

function isOwnList(list: unknown): boolean {
  const [entry, ...others] = Array.isArray(list) ? (list as ({ readonly name?: unknown } | null)[]) : [];
  return entry?.name === NAME && others.length === 0;
}

/** Returns a kubeconfig for the administrator of the server. */
export function kubeconfigYaml(server: string, caPem: string, token: string): string {
  return `apiVersion: v1
kind: Config
clusters:
  - name: ${NAME}
    cluster:
      server: ${server}
      certificate-authority-data: ${Buffer.from(caPem).toString('base64')}
users:
  - name: ${NAME}
    user:
      token: "${token}"
contexts:
  - name: ${NAME}
    context:
      cluster: ${NAME}
      user: ${NAME}
current-context: ${NAME}
`;
}
