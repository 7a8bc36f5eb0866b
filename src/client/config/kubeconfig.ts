import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { parseYamlDocuments } from '../../base/yaml.js';
import { ConfigError } from './config-error.js';
import { ConfigSection } from './config-section.js';

/** One or more kubeconfig files, merged. */
export interface Kubeconfig {
  /** The merged files, for messages. */
  readonly files: readonly string[];
  readonly currentContext: string | undefined;
  readonly contexts: ReadonlyMap<string, ConfigSection>;
  readonly clusters: ReadonlyMap<string, ConfigSection>;
  readonly users: ReadonlyMap<string, ConfigSection>;
}

export interface KubeconfigPaths {
  readonly files: readonly string[];
  /** True if the user passed the path, so that a missing file is an error. */
  readonly isExplicit: boolean;
}

/** Returns the paths that kubectl uses: the given file, or those of `KUBECONFIG`, or `~/.kube/config`. */
export function kubeconfigPaths(explicit: string | undefined, env: NodeJS.ProcessEnv): KubeconfigPaths {
  if (explicit !== undefined) return { files: [resolve(explicit)], isExplicit: true };
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  if (listed.length > 0) return { files: listed.map((file) => resolve(file)), isExplicit: false };
  return { files: [join(env['HOME'] ?? homedir(), '.kube', 'config')], isExplicit: false };
}

/**
 * Reads the files and merges them by kubectl's rule: the first entry of a name wins.
 *
 * Returns undefined if no file exists.
 *
 * @throws ConfigError if a file cannot be read or is not a kubeconfig.
 */
export async function readKubeconfig({ files, isExplicit }: KubeconfigPaths): Promise<Kubeconfig | undefined> {
  const roots: ConfigSection[] = [];
  for (const file of files) {
    const text = await readText(file, isExplicit);
    if (text !== undefined) roots.push(ConfigSection.of(file, '', parse(text, file)));
  }
  return roots.length === 0 ? undefined : kubeconfigOf(roots);
}

/**
 * Returns the kubeconfig in a text; `source` is its name in messages.
 *
 * @throws ConfigError if the text is not a kubeconfig.
 */
export function parseKubeconfig(text: string, source: string): Kubeconfig {
  return kubeconfigOf([ConfigSection.of(source, '', parse(text, source))]);
}

function kubeconfigOf(roots: readonly ConfigSection[]): Kubeconfig {
  if (roots.every((root) => root.isEmpty)) {
    throw new ConfigError(`${roots.map((root) => root.file).join(', ')}: the kubeconfig is empty`);
  }
  return {
    files: roots.map((root) => root.file),
    currentContext: roots.map((root) => root.string('current-context')).find((name) => name !== undefined),
    contexts: merge(roots, 'contexts', 'context'),
    clusters: merge(roots, 'clusters', 'cluster'),
    users: merge(roots, 'users', 'user'),
  };
}

async function readText(file: string, isExplicit: boolean): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'ENOENT' && !isExplicit) return undefined;
    throw new ConfigError(`${file}: ${describeReadError(code)}`, { cause: error });
  }
}

function describeReadError(code: string): string {
  switch (code) {
    case 'ENOENT':
      return 'the kubeconfig does not exist';
    case 'EACCES':
      return 'the kubeconfig is not readable by this user';
    case 'EISDIR':
      return 'the kubeconfig is a folder';
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return 'the kubeconfig is not valid UTF-8';
    default:
      return `the kubeconfig cannot be read (${code})`;
  }
}

/** The message must not quote the text, which contains secrets. */
function parse(text: string, file: string): unknown {
  const documents = parseDocuments(text, file);
  if (documents.length > 1) throw new ConfigError(`${file}: the kubeconfig contains more than one YAML document`);
  return documents[0];
}

function parseDocuments(text: string, file: string): unknown[] {
  try {
    return parseYamlDocuments(text, file);
  } catch (error) {
    const at = /\((\d+):(\d+)\)/.exec((error as Error).message);
    throw new ConfigError(`${file}${at ? `:${at[1] ?? ''}:${at[2] ?? ''}` : ''}: the kubeconfig is not valid YAML`);
  }
}

function merge(roots: readonly ConfigSection[], list: string, member: string): Map<string, ConfigSection> {
  const merged = new Map<string, ConfigSection>();
  for (const root of roots) {
    for (const entry of root.sections(list)) {
      const name = entry.string('name');
      if (name === undefined) throw entry.error('name', 'is missing');
      const value = ConfigSection.of(root.file, `${list}[${name}].${member}`, entry.get(member));
      if (!merged.has(name)) merged.set(name, value);
    }
  }
  return merged;
}
