import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { parseJson } from '../../base/json.js';
import { makeFolder } from '../../base/make-folder.js';
import { writeAtomically } from '../../base/write-atomically.js';
import { OperatorError } from '../../base/operator-error.js';
import type { ApiObject } from '../objects/api-object.js';
import type { ObjectStore } from './object-store.js';
import type { StoreEvent } from './stored-object.js';
import { DiskReserve } from './disk-reserve.js';
import { hidesCommits } from './write-ahead-log.js';

const load = createRequire(import.meta.url);

// The process owns the exclusive lock, so even a killed process releases it. The log has at most 256 pages of 4 kB and
// one transaction, so that DiskReserve has room for moving it into the database.
const PRAGMAS = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA wal_autocheckpoint = 256;
`;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS objects (
    collection TEXT NOT NULL, key TEXT NOT NULL, revision INTEGER NOT NULL, object TEXT NOT NULL,
    PRIMARY KEY (collection, key)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
`;

const RUNNING_HINT = 'free disk space or delete objects; the server resumes writing as soon as there is some';

interface Row {
  readonly collection: string;
  readonly key: string;
  readonly revision: number;
  readonly object: string;
}

/** Persists the store in an SQLite file. Each write is on disk before it becomes visible. */
export class SqliteJournal {
  private readonly file: string;
  private readonly database: DatabaseSync;
  private readonly reserve: DiskReserve;
  private readonly putObject: StatementSync;
  private readonly removeObject: StatementSync;
  private readonly putRevision: StatementSync;

  constructor(dataDir: string) {
    this.file = join(dataDir, 'kindwright.db');
    this.database = openDatabase(this.file);
    this.reserve = new DiskReserve(join(dataDir, 'kindwright.reserve'));
    try {
      this.putObject = this.database.prepare('INSERT OR REPLACE INTO objects VALUES (?, ?, ?, ?)');
      this.removeObject = this.database.prepare('DELETE FROM objects WHERE collection = ? AND key = ?');
      this.putRevision = this.database.prepare("INSERT OR REPLACE INTO meta VALUES ('revision', ?)");
    } catch (error) {
      this.database.close();
      throw damaged(this.file, error);
    }
  }

  /**
   * Writes one change; it is durable when this returns. Deletions also succeed on a full disk.
   * @throws OperatorError when the write fails; then none of it is stored
   */
  write(collection: string, { type, current }: StoreEvent): void {
    const write = (): void => {
      if (type === 'DELETED') this.removeObject.run(collection, current.key);
      else this.putObject.run(collection, current.key, current.revision, current.json);
      this.putRevision.run(current.revision);
    };
    const isDeletion = type === 'DELETED' || current.object.metadata.deletionTimestamp !== undefined;
    if (this.database.isTransaction) write();
    else if (isDeletion) this.withReserve(write);
    else this.transact(write, RUNNING_HINT);
  }

  /**
   * Writes all changes made by `act` at the start of the server in one transaction, which also succeeds on a full disk.
   * @throws OperatorError when the write fails; then none of it is stored
   */
  writeAtStart(act: () => void): void {
    this.reserve.release();
    try {
      this.transact(act, 'free disk space, then start the server again');
    } finally {
      this.reserve.restore();
    }
  }

  /** Frees the reserve and retries if the disk is full; then reserves the space again, before other writes use it. */
  private withReserve(act: () => void): void {
    try {
      this.transact(act, RUNNING_HINT);
    } catch (error) {
      if (!isFull((error as Error).cause) || !this.reserve.release()) throw error;
      try {
        this.transact(act, RUNNING_HINT);
      } finally {
        this.reclaim();
      }
      return;
    }
    this.reserve.restore();
  }

  /** Moves the log into the database, whose free pages take it, and reserves disk space again. */
  private reclaim(): void {
    try {
      this.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // The disk has no room for it; the log is kept.
    }
    this.reserve.restore();
  }

  private transact(act: () => void, hint: string): void {
    try {
      this.database.exec('BEGIN IMMEDIATE');
      act();
      this.database.exec('COMMIT');
    } catch (error) {
      this.rollBack();
      throw new OperatorError(`${this.file} cannot be written: ${messageOf(error)}`, {
        code: 'E_DATA_DIR',
        hint,
        cause: error,
      });
    }
  }

  /** SQLite rolls back by itself when the disk is full. */
  private rollBack(): void {
    if (this.database.isTransaction) this.database.exec('ROLLBACK');
  }

  /**
   * Loads the persisted objects into an empty store.
   * @throws OperatorError when the file is damaged
   */
  restore(store: ObjectStore): void {
    try {
      this.restoreRows(store);
    } catch (error) {
      throw damaged(this.file, error);
    }
  }

  close(): void {
    this.database.close();
  }

  private restoreRows(store: ObjectStore): void {
    const rows = this.database.prepare('SELECT * FROM objects ORDER BY revision').all() as unknown as Row[];
    for (const { collection, key, revision, object } of rows) {
      store.restore(collection, key, parseJson(object) as ApiObject, revision);
    }
    const last = this.database.prepare("SELECT value FROM meta WHERE name = 'revision'").get();
    store.resumeAt(Number(last?.value ?? 0));
  }
}

function openDatabase(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    const isNew = !existsSync(dirname(file));
    makeFolder(dirname(file), 0o700);
    // The objects and keys of a folder within a project do not belong into its repository.
    if (isNew) writeAtomically(join(dirname(file), '.gitignore'), '*\n');
    assertLog(`${file}-wal`);
    const { DatabaseSync: Database } = load('node:sqlite') as { DatabaseSync: new (path: string) => DatabaseSync };
    database = new Database(file);
    chmodSync(file, 0o600);
    database.exec(PRAGMAS);
    assertVersion(file, database);
    database.exec(SCHEMA);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof OperatorError) throw error;
    throw openError(file, error);
  }
}

/** Checks the schema version; versions with other tables must set their own user_version. */
function assertVersion(file: string, database: DatabaseSync): void {
  if (database.prepare('PRAGMA user_version').get()?.user_version === 0) return;
  throw new OperatorError(`${file} was written by a later version of kindwright`, {
    code: 'E_DATA_DIR',
    hint: 'run that version, or pass an empty --data-dir',
  });
}

/**
 * Checks the log for damage. Must be called before SQLite opens the file, because SQLite removes what it cannot read.
 */
function assertLog(file: string): void {
  if (existsSync(file) && hidesCommits(readFileSync(file))) throw damaged(file, 'writes would be lost');
}

/** Result codes of SQLite: https://www.sqlite.org/rescode.html */
const BUSY = 5;
const IO_ERROR = 10;
const FULL = 13;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** Returns whether a write may have failed because the disk is full; extended result codes have more bits. */
function isFull(error: unknown): boolean {
  const { errcode = 0 } = (error ?? {}) as { errcode?: number };
  return [FULL, IO_ERROR].includes(errcode & 0xff);
}

function openError(file: string, error: unknown): OperatorError {
  switch ((error as { errcode?: number }).errcode) {
    case BUSY:
      return new OperatorError(`${file} is in use by another server`, {
        code: 'E_DATA_DIR',
        hint: 'stop the other server, or pass another --data-dir',
        cause: error,
      });
    case CORRUPT:
    case NOT_A_DATABASE:
      return damaged(file, error);
    default:
      return new OperatorError(`${file} cannot be opened: ${messageOf(error)}`, {
        code: 'E_DATA_DIR',
        hint: 'pass a writable --data-dir with free disk space',
        cause: error,
      });
  }
}

function damaged(file: string, error: unknown): OperatorError {
  return new OperatorError(`${file} is damaged: ${messageOf(error)}`, {
    code: 'E_DATA_DIR',
    hint: 'restore a copy of the folder, or pass an empty --data-dir',
    cause: error,
  });
}

function messageOf(error: unknown): string {
  return (error as Partial<Error>).message ?? String(error);
}
