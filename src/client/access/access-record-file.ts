import { dirname } from 'node:path';
import type { Cancel, Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import { makeFolder } from '../../base/make-folder.js';
import { OperatorError } from '../../base/operator-error.js';
import { readText } from '../../base/read-text.js';
import { writeAtomically } from '../../base/write-atomically.js';
import { parseYaml, stringifyYaml } from '../../base/yaml.js';
import { AccessRecord, type RecordedAccess } from './access-record.js';

/** The delay of writes. A crash loses the accesses of this period. */
const WRITE_DELAY_MS = 1000;

const HEADER = `# The requests of operators, accumulated over all runs with this file.
# generate-manifests --check-rbac compares them with the permissions of the classes.
`;

export interface AccessRecordFileOptions {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * A record of accesses in a file: JSON for the extension `.json`, otherwise YAML. Each run adds to the file.
 *
 * Guarantees: writes are atomic, and entries of other processes are kept. A crash loses the accesses that were first
 * seen in the last second.
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

  /** @throws OperatorError if the file has other contents or cannot be written. */
  static open(file: string, options: AccessRecordFileOptions): AccessRecordFile {
    const opened = new AccessRecordFile(file, options);
    opened.write();
    return opened;
  }

  /** Writes the pending accesses. */
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
    withFileErrors(this.file, () => {
      makeFolder(dirname(this.file));
      writeAtomically(this.file, textOf(this.file, entries));
    });
  }
}

/**
 * Returns the accesses in a file, or undefined if the file does not exist.
 *
 * @throws OperatorError if the file has other contents or cannot be read.
 */
export function readAccessRecord(file: string): RecordedAccess[] | undefined {
  const text = withFileErrors(file, () => readIfExists(file));
  if (text === undefined) return undefined;
  const entries = (parseYaml(text, file) as { accesses?: unknown } | null | undefined)?.accesses;
  if (!Array.isArray(entries) || !entries.every(isRecorded)) throw invalidRecord(file);
  return entries.map(({ by, group, resource, url, verb, namespaces }) => ({
    by,
    group,
    resource,
    url,
    verb,
    namespaces,
  }));
}

function readIfExists(file: string): string | undefined {
  try {
    return readText(file);
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

function invalidRecord(file: string): OperatorError {
  return new OperatorError(`${file} is not a record of requests`, {
    code: 'E_ACCESS_RECORD',
    hint: 'pass a file that --record-rbac wrote, or a file that does not exist',
  });
}

function withFileErrors<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new OperatorError(`${file}: cannot read or write the record of requests: ${code ?? String(error)}`, {
      code: 'E_ACCESS_RECORD',
      hint: 'pass a file in a writable folder',
      cause: error,
    });
  }
}
