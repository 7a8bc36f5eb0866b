import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { StartedCommand } from '../cli/started-command.js';

const COMMAND = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'kindwright.js');
const DATABASE = 'kindwright.db';
const load = createRequire(import.meta.url);

/** A data folder, and the servers that are started on it one after the other. */
export class ServedFolder {
  private readonly folder = mkdtempSync(join(tmpdir(), 'kindwright-durability-'));
  readonly dataDir = join(this.folder, 'data');
  readonly database = join(this.dataDir, DATABASE);

  /** `kindwright serve`, as a process of its own. */
  serve(prefix: readonly string[] = [], dataDir = this.dataDir): StartedCommand {
    const kubeconfig = join(this.folder, 'kubeconfig');
    const serve = [process.execPath, COMMAND, 'serve', '--data-dir', dataDir, '--kubeconfig', kubeconfig];
    const [command = '', ...args] = [...prefix, ...serve];
    return new StartedCommand(spawn(command, args));
  }

  /** Returns the errors that SQLite reports for a copy of the database, so that the original stays unchanged. */
  integrityCheck(): unknown {
    const copy = join(this.folder, 'copy');
    rmSync(copy, { recursive: true, force: true });
    mkdirSync(copy);
    for (const name of [DATABASE, `${DATABASE}-wal`])
      if (existsSync(join(this.dataDir, name))) cpSync(join(this.dataDir, name), join(copy, name));
    const { DatabaseSync: Database } = load('node:sqlite') as { DatabaseSync: new (path: string) => DatabaseSync };
    const database = new Database(join(copy, DATABASE));
    const [row] = database.prepare('PRAGMA integrity_check').all();
    database.close();
    return row?.['integrity_check'];
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
