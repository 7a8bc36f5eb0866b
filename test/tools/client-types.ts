import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A type of Kubernetes' API in one version. */
export interface VersionedType {
  /** `apps`, `networking.k8s.io`; empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly isPreferred: boolean;
  readonly kind: string;
}

/**
 * The name that a type is exported under.
 *
 * The preferred version of a type has its bare name, other versions end in theirs. A name that two groups have gets
 * the first word of its group in front, in both (`CoreEvent`, `EventsEvent`); client-node does the same.
 */
export function exportName(
  { group, version, isPreferred, kind }: VersionedType,
  all: readonly VersionedType[],
): string {
  const isShared = all.some((other) => other.kind === kind && other.group !== group);
  return `${isShared ? groupWord(group) : ''}${kind}${isPreferred ? '' : capitalized(version)}`;
}

/** The names of client-node's models: one file each. */
export async function readClientTypes(): Promise<ReadonlySet<string>> {
  const folder = join(dirname(fileURLToPath(import.meta.resolve('@kubernetes/client-node'))), 'gen', 'models');
  const files = await readdir(folder);
  return new Set(files.filter((file) => file.endsWith('.d.ts')).map((file) => basename(file, '.d.ts')));
}

/** The name that client-node has for a type, if it has one. */
export function clientType({ group, version, kind }: VersionedType, names: ReadonlySet<string>): string | undefined {
  const prefix = capitalized(version);
  return [`${groupWord(group)}${prefix}${kind}`, `${prefix}${kind}`].find((name) => names.has(name));
}

/** `Apps`, `Networking`, `Core`. */
export function groupWord(group: string): string {
  return capitalized(group === '' ? 'core' : (group.split('.')[0] ?? ''));
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
