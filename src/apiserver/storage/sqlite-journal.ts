import { chmodSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { parseJson } from '../../base/json.js';
import { OperatorError } from '../../base/operator-error.js';
import type { ApiObject } from '../object.js';
import type { ObjectStore } from './object-store.js';
import type { StoreEvent } from './stored-object.js';

const load = createRequire(import.meta.url);

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS objects (
    collection TEXT NOT NULL, key TEXT NOT NULL, revision INTEGER NOT NULL, object TEXT NOT NULL,
    PRIMARY KEY (collection, key)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
`;

interface Row {
  readonly collection: string;
  readonly key: string;
  readonly revision: number;
  readonly object: string;
}

/** Keeps the store in an SQLite file: each write is on disk before anyone is told of it. */
export class SqliteJournal {
  private readonly database: DatabaseSync;
  private readonly putObject: StatementSync;
  private readonly removeObject: StatementSync;
  private readonly putRevision: StatementSync;

  constructor(dataDir: string) {
    this.database = openDatabase(dataDir);
    this.putObject = this.database.prepare('INSERT OR REPLACE INTO objects VALUES (?, ?, ?, ?)');
    this.removeObject = this.database.prepare('DELETE FROM objects WHERE collection = ? AND key = ?');
    this.putRevision = this.database.prepare("INSERT OR REPLACE INTO meta VALUES ('revision', ?)");
  }

  /** Writes one change; it is durable when this returns. */
  write(collection: string, { type, current }: StoreEvent): void {
    this.database.exec('BEGIN IMMEDIATE');
    try {
      if (type === 'DELETED') this.removeObject.run(collection, current.key);
      else this.putObject.run(collection, current.key, current.revision, current.json);
      this.putRevision.run(current.revision);
      this.database.exec('COMMIT');
    } catch (error) {
      this.database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Puts into an empty store what was written before. */
  restore(store: ObjectStore): void {
    const rows = this.database.prepare('SELECT * FROM objects ORDER BY revision').all() as unknown as Row[];
    for (const { collection, key, revision, object } of rows) {
      store.restore(collection, key, parseJson(object) as ApiObject, revision);
    }
    const last = this.database.prepare("SELECT value FROM meta WHERE name = 'revision'").get();
    store.resumeAt(Number(last?.value ?? 0));
  }

  close(): void {
    this.database.close();
  }
}

function openDatabase(dataDir: string): DatabaseSync {
  const file = join(dataDir, 'kindwright.db');
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const { DatabaseSync: Database } = load('node:sqlite') as { DatabaseSync: new (path: string) => DatabaseSync };
    const database = new Database(file);
    chmodSync(file, 0o600);
    database.exec(SCHEMA);
    return database;
  } catch (error) {
    throw new OperatorError(`${file} cannot be opened: ${error instanceof Error ? error.message : String(error)}`, {
      code: 'E_DATA_DIR',
      hint: 'give --data-dir a folder that can be written, and run one server on it',
      cause: error,
    });
  }
}
