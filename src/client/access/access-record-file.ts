import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Cancel, Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import { makeFolder } from '../../base/make-folder.js';
import { OperatorError } from '../../base/operator-error.js';
import { writeAtomically } from '../../base/write-atomically.js';
import { parseYaml, stringifyYaml } from '../../base/yaml.js';
import { AccessRecord, type RecordedAccess } from './access-record.js';

/** What a crash may lose. */
const WRITE_DELAY_MS = 1000;

const HEADER = `# Every access that operators asked for, added up over all runs that named this file.
# generate-manifests --check-rbac compares the rules of the classes with it.
`;

/** What a record is kept with. */
export interface AccessRecordFileOptions {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * A record of accesses in a file, JSON if its name says so, else YAML, which runs add to.
 *
 * Guarantees: the file is never half-written, and what others have added to it meanwhile stays; a crash loses what was
 * first seen in the last second.
 */
export class AccessRecordFile {
  readonly record = new AccessRecord(() => {
    this.writeSoon();
  });
  private cancel: Cancel | undefined;

  private constructor(
    private readonly file: string,
    private readonly options: AccessRecordFileOptions,
  ) {}

  /** @throws OperatorError when the file holds something else, or cannot be written. */
  static open(file: string, options: AccessRecordFileOptions): AccessRecordFile {
    const opened = new AccessRecordFile(file, options);
    opened.write();
    return opened;
  }

  /** Writes what is not yet written. */
  close(): void {
    this.cancel?.();
    this.write();
  }

  private writeSoon(): void {
    this.cancel ??= this.options.clock.schedule(WRITE_DELAY_MS, () => {
      this.cancel = undefined;
      try {
        this.write();
      } catch (error) {
        this.options.logger.warn((error as Error).message);
      }
    });
  }

  private write(): void {
    const merged = new AccessRecord();
    const before = readAccessRecord(this.file);
    for (const access of [...(before ?? []), ...this.record.entries()]) merged.add(access);
    const entries = merged.entries();
    if (before && JSON.stringify(entries) === JSON.stringify(before)) return;
    reporting(this.file, () => {
      makeFolder(dirname(this.file));
      writeAtomically(this.file, textOf(this.file, entries));
    });
  }
}

/**
 * The accesses that a file holds; undefined when there is none.
 *
 * @throws OperatorError when it holds something else.
 */
export function readAccessRecord(file: string): RecordedAccess[] | undefined {
  const text = reporting(file, () => textIn(file));
  if (text === undefined) return undefined;
  const entries = (parseYaml(text, file) as { accesses?: unknown } | null | undefined)?.accesses;
  if (!Array.isArray(entries) || !entries.every(isRecorded)) throw foreign(file);
  return entries.map(({ by, group, resource, url, verb, namespaces }) => ({
    by,
    group,
    resource,
    url,
    verb,
    namespaces,
  }));
}

function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isRecorded(entry: unknown): entry is RecordedAccess {
  if (typeof entry !== 'object' || entry === null) return false;
  const { by, group, resource, url = '', verb, namespaces } = entry as Partial<Record<keyof RecordedAccess, unknown>>;
  return (
    (by === 'operator' || by === 'manager') &&
    [group, resource, url, verb].every((value) => typeof value === 'string') &&
    Array.isArray(namespaces) &&
    namespaces.every((namespace) => typeof namespace === 'string')
  );
}

function textOf(file: string, entries: readonly RecordedAccess[]): string {
  const accesses = entries.map(({ url, ...access }) => ({ ...access, ...(url !== undefined && { url }) }));
  if (file.endsWith('.json')) return `${JSON.stringify({ accesses }, null, 2)}\n`;
  return HEADER + stringifyYaml({ accesses });
}

function foreign(file: string): OperatorError {
  return new OperatorError(`${file} is no record of accesses`, {
    code: 'E_ACCESS_RECORD',
    hint: 'name a file that --record-rbac wrote, or one that does not exist yet',
  });
}

function reporting<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new OperatorError(`${file}, the record of accesses: ${code ?? String(error)}`, {
      code: 'E_ACCESS_RECORD',
      hint: 'name a file in a folder that can be written',
      cause: error,
    });
  }
}
