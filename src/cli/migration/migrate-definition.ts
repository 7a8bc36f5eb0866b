import type { KindRef } from '../../api/kinds/kind-ref.js';
import { CustomResourceDefinition } from '../../api/kinds/kinds.js';
import { sleep, type Clock } from '../../base/clock.js';
import { arrayAt, stringAt } from '../../base/json-object.js';
import { parseTime } from '../../base/timestamp.js';
import { OperatorError } from '../../base/operator-error.js';
import { ConflictError } from '../../client/api-error.js';
import type { Client } from '../../client/client.js';
import { countNoun } from '../count-noun.js';
import { printLine } from '../print-line.js';
import { rewriteObjects } from './rewrite-objects.js';
import { listStoredKeys } from './stored-keys.js';

/** The options of a migration. */
export interface MigrationOptions {
  /** Objects per second. */
  readonly rate: number;
  /** Change nothing; the API server converts and validates the objects. */
  readonly dryRun: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const PASSES = 3;
/** API servers notice another storage version within milliseconds; until then they write the former one. */
const SETTLE_MS = 2000;
const RECENT_MS = 60_000;
const PROGRESS_MS = 2000;
/** More failures are only counted. */
const LISTED_FAILURES = 20;

/**
 * Rewrites the objects of a kind in the storage version of its definition, then removes the other versions from
 * `status.storedVersions`, and returns the number of objects that could not be rewritten.
 *
 * The versions are removed only if every object was rewritten, and the specification of the definition is the one from
 * before the first write: another storage version in the meantime could have been written to any object.
 *
 * @throws OperatorError (E_MIGRATION) if the definition changes in each of three passes
 */
export async function migrateDefinition(
  client: Client,
  definition: CustomResourceDefinition,
  options: MigrationOptions,
): Promise<number> {
  const { name } = definition.metadata;
  let current = definition;
  for (let pass = 1; pass <= PASSES; pass++) {
    const storage = storageVersion(current);
    const old = versionsBeside(storage, current);
    if (old.length === 0) {
      printLine(`${name}: all objects are stored in ${storage}`);
      return 0;
    }
    if (isRecent(current, options.clock)) await sleep(options.clock, SETTLE_MS, options.signal);
    const failed = await rewriteAll(client, current, options);
    if (failed > 0) return failed;
    if (options.dryRun) {
      printLine(`${name}: would remove ${old.join(', ')} from status.storedVersions`);
      return 0;
    }
    current = await dropOldVersions(client, current, options.signal);
    if (versionsBeside(storage, current).length === 0) {
      printLine(`${name}: all objects are stored in ${storage}; ${old.join(', ')} can be removed from the classes`);
      return 0;
    }
    printLine(`${name}: the definition was changed during the migration`);
  }
  throw new OperatorError(`${name} was changed during each of ${PASSES} passes; status.storedVersions is unchanged`, {
    code: 'E_MIGRATION',
    hint: 'find out which program updates the definition, and run the migration again',
  });
}

/** Returns the other versions in which objects may be stored. */
function versionsBeside(storage: string, { status }: CustomResourceDefinition): string[] {
  return (status?.storedVersions ?? []).filter((version) => version !== storage);
}

/** Rewrites all objects of a definition, and prints those for which this failed. */
async function rewriteAll(
  client: Client,
  { metadata: { name }, spec }: CustomResourceDefinition,
  { clock, signal, rate, dryRun }: MigrationOptions,
): Promise<number> {
  const served = spec.versions.filter((version) => version.served);
  const versions = served
    .toSorted((a, b) => Number(b.storage) - Number(a.storage))
    .map((version): KindRef => ({
      group: spec.group,
      version: version.name,
      kind: spec.names.kind,
      plural: spec.names.plural,
      scope: spec.scope as KindRef['scope'],
    }));
  const [kind] = versions;
  if (!kind) throw new OperatorError(`${name} serves no version`, { code: 'E_MIGRATION', hint: 'serve one of them' });
  const keys = await listStoredKeys(client, versions, signal);
  printLine(`${name}: ${dryRun ? 'checking' : 'rewriting'} ${countNoun(keys.length, 'object')}`);
  let printedMs = clock.monotonic();
  const onProgress = (done: number): void => {
    if (clock.monotonic() - printedMs < PROGRESS_MS) return;
    printedMs = clock.monotonic();
    printLine(`${name}: ${String(done)} of ${countNoun(keys.length, 'object')}`);
  };
  const failures = await rewriteObjects(client, kind, keys, { rate, dryRun, clock, signal, onProgress });
  for (const { key, message } of failures.slice(0, LISTED_FAILURES)) printLine(`  ${key}: ${message}`);
  if (failures.length > LISTED_FAILURES) printLine(`  and ${String(failures.length - LISTED_FAILURES)} more`);
  return failures.length;
}

/** Returns the definition as it is then: unchanged if its specification differs from that of the migration. */
async function dropOldVersions(
  client: Client,
  migrated: CustomResourceDefinition,
  signal: AbortSignal,
): Promise<CustomResourceDefinition> {
  const { name, generation, uid } = migrated.metadata;
  for (;;) {
    const current = await client.get(CustomResourceDefinition, name, { signal });
    if (current.metadata.generation !== generation || current.metadata.uid !== uid) return current;
    const { resourceVersion } = current.metadata;
    const patch = { metadata: { resourceVersion }, status: { storedVersions: [storageVersion(current)] } };
    try {
      return await client.patch(CustomResourceDefinition, name, patch, { subresource: 'status', signal });
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error; // it was changed since the read
    }
  }
}

/** Returns whether the specification was changed a short time ago. */
function isRecent({ metadata }: CustomResourceDefinition, clock: Clock): boolean {
  const changes = arrayAt(metadata, 'managedFields').filter((entry) => stringAt(entry, 'subresource') === '');
  return changes.some((entry) => clock.now() - (parseTime(stringAt(entry, 'time')) ?? 0) < RECENT_MS);
}

function storageVersion({ spec }: CustomResourceDefinition): string {
  return spec.versions.find(({ storage }) => storage)?.name ?? '';
}
