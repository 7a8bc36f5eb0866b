import { createHash } from 'node:crypto';
import { readFileSync, statSync, watch, type FSWatcher } from 'node:fs';
import { dirname, join } from 'node:path';
import { displayPath } from '../../base/display-path.js';
import type { Cancel, Clock } from '../../base/clock.js';
import { OperatorError } from '../../base/operator-error.js';

/** Editors write a file in several steps, within this time. */
const QUIET_MS = 15;
/** The time until a file that is missing or empty counts as changed: some editors write a new file in its place. */
const MISSING_MS = 150;

export interface SourceWatcherOptions {
  readonly clock: Clock;
  /** Called with the paths of files with changed contents, and of new files. */
  readonly onChange: (paths: ReadonlySet<string>) => void;
}

/** Watches the source files of a project by their folders, since editors replace files instead of writing them. */
export class SourceWatcher {
  private readonly watchers = new Map<string, FSWatcher>();
  /** The hashes of the contents of the files. */
  private readonly hashes = new Map<string, string>();
  private readonly touched = new Set<string>();
  private cancel: Cancel = () => undefined;

  constructor(private readonly options: SourceWatcherOptions) {}

  /**
   * Watches these files, and those that are added to their folders or to the given ones.
   *
   * @throws OperatorError (E_WATCH) if a folder cannot be watched.
   */
  watch(files: Iterable<string>, folders: Iterable<string> = []): void {
    const wanted = new Set(folders);
    for (const file of files) {
      if (!this.hashes.has(file)) this.hashes.set(file, hashOf(file));
      wanted.add(dirname(file));
    }
    for (const folder of wanted) if (!this.watchers.has(folder)) this.open(folder);
  }

  close(): void {
    this.cancel();
    for (const watcher of this.watchers.values()) watcher.close();
    this.watchers.clear();
  }

  private open(folder: string): void {
    try {
      const watcher = watch(folder, (_, name) => {
        if (name !== null) this.touch(join(folder, name));
      });
      watcher.on('error', () => {
        watcher.close(); // the folder was deleted
        this.watchers.delete(folder);
      });
      this.watchers.set(folder, watcher);
    } catch (error) {
      throw cannotWatch(folder, error);
    }
  }

  private touch(path: string): void {
    if (!this.hashes.has(path) && !isSource(path) && !isFolder(path)) return;
    this.touched.add(path);
    this.schedule(QUIET_MS);
  }

  private schedule(ms: number): void {
    this.cancel();
    this.cancel = this.options.clock.schedule(ms, () => {
      this.report(ms === MISSING_MS);
    });
  }

  private report(isPatient: boolean): void {
    const changed = new Set<string>();
    let isIncomplete = false;
    for (const path of this.touched) {
      const hash = hashOf(path);
      if (hash === this.hashes.get(path)) this.touched.delete(path);
      else if (hash === EMPTY && !isPatient) isIncomplete = true;
      else changed.add(path);
    }
    if (isIncomplete) {
      this.schedule(MISSING_MS);
      return;
    }
    this.touched.clear();
    for (const path of changed) this.hashes.set(path, hashOf(path));
    if (changed.size > 0) this.options.onChange(changed);
  }
}

/** The hash of a file that is missing or has no contents yet. */
const EMPTY = '';

function hashOf(path: string): string {
  try {
    const contents = readFileSync(path);
    return contents.length === 0 ? EMPTY : createHash('sha256').update(contents).digest('base64');
  } catch {
    return isFolder(path) ? 'folder' : EMPTY;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isSource(path: string): boolean {
  return /\.m?[jt]s$/.test(path);
}

function cannotWatch(folder: string, cause: unknown): OperatorError {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  return new OperatorError(`cannot watch ${displayPath(folder)}: ${message}`, {
    code: 'E_WATCH',
    hint:
      code === 'ENOSPC'
        ? 'increase the limit of watched files: sysctl fs.inotify.max_user_watches=524288'
        : 'make the folder readable, or run the operator without reload',
    cause,
  });
}
