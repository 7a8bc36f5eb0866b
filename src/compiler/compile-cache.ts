import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../base/clock.js';
import { makeFolder } from '../base/make-folder.js';
import { writeAtomically } from '../base/write-atomically.js';

/** Entries of files that are not compiled any more go after this long. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Compiled modules on disk, so that a warm start loads no compiler.
 *
 * The name of an entry is derived from the path of the file, its source and the versions of the compiler; a file has one
 * entry. Problems with the folder are not errors: the file is compiled again.
 */
export class CompileCache {
  /** @param versions - the versions of the programs that compile a source */
  constructor(
    private readonly folder: string,
    private readonly versions: string,
    private readonly clock: Clock,
  ) {}

  get(path: string, source: string): string | undefined {
    try {
      const entry = readFileSync(join(this.folder, this.entryName(path, source)), 'utf8');
      const end = entry.indexOf('\n');
      const code = entry.slice(end + 1);
      return entry.slice(0, end) === sha256(code) ? code : undefined;
    } catch {
      return undefined;
    }
  }

  put(path: string, source: string, code: string): void {
    const name = this.entryName(path, source);
    try {
      makeFolder(this.folder);
      writeAtomically(join(this.folder, name), `${sha256(code)}\n${code}`);
      this.prune(name);
    } catch {
      // a full or read-only disk costs the time of compiling, no more
    }
  }

  private entryName(path: string, source: string): string {
    return `${sha256(path).slice(0, 16)}-${sha256(`${this.versions}\n${source}`).slice(0, 32)}.js`;
  }

  private prune(kept: string): void {
    const [ofSameFile = ''] = kept.split('-');
    for (const name of readdirSync(this.folder)) {
      const path = join(this.folder, name);
      const isSuperseded = name !== kept && name.endsWith('.js') && name.startsWith(`${ofSameFile}-`);
      if (isSuperseded || this.clock.now() - statSync(path).mtimeMs > KEEP_MS) rmSync(path, { force: true });
    }
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
