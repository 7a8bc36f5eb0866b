import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isJsonObject } from '../base/json-object.js';
import type { Logger } from '../base/logger.js';
import { makeFolder } from '../base/make-folder.js';
import { thrownError } from '../base/thrown-error.js';
import { writeAtomically } from '../base/write-atomically.js';

/** A console of a process on this machine. */
export interface RunningConsole {
  /** Without the token. */
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  /** The names of its controllers. */
  readonly operator: string;
}

/** The file by which commands of the same user find a running console. Only the user can read it. */
export class RunningConsoleFile {
  private constructor(
    private readonly path: string,
    private readonly console: RunningConsole,
  ) {}

  /** Returns undefined, with a warning, if the file cannot be written: only the commands need it. */
  static write(console: RunningConsole, logger: Logger, env = process.env): RunningConsoleFile | undefined {
    try {
      const folder = consoleFolder(env);
      makeFolder(folder, 0o700);
      const { mode, uid } = lstatSync(folder);
      if ((mode & 0o077) !== 0 || (process.getuid && uid !== process.getuid()))
        throw new Error(`${folder} is accessible to other users; delete it`);
      const path = join(folder, `${console.pid}-${new URL(console.url).port}.json`);
      writeAtomically(path, `${JSON.stringify(console)}\n`, 0o600);
      return new RunningConsoleFile(path, console);
    } catch (error) {
      const hint = 'kindwright why, tree and top do not find this console; pass its URL with --url';
      logger.warn(`The address of the console could not be stored: ${thrownError(error).message}`, { hint });
      return undefined;
    }
  }

  /**
   * Writes a page that leads a browser to the console, and returns its path. The command line of a program that is given the
   * URL would show the token to all users of the machine.
   */
  writeRedirect(): string {
    const { url, token } = this.console;
    const target = `${url}/#t=${token}`;
    const path = redirectOf(this.path);
    const text = `<!doctype html>
<meta charset="utf-8">
<title>Console of kindwright</title>
<meta http-equiv="refresh" content="0; url=${target}">
<p><a href="${target}">Open the console</a></p>
`;
    writeAtomically(path, text, 0o600);
    return path;
  }

  remove(): void {
    removeFiles(this.path);
  }
}

function redirectOf(path: string): string {
  return path.replace(/json$/, 'html');
}

function removeFiles(path: string): void {
  for (const file of [path, redirectOf(path)]) rmSync(file, { force: true });
}

/** Returns the consoles of processes that run, the newest first. Files of killed processes are removed. */
export function runningConsoles(env = process.env): RunningConsole[] {
  const folder = consoleFolder(env);
  const found: { readonly console: RunningConsole; readonly ms: number }[] = [];
  for (const name of filesIn(folder)) {
    const path = join(folder, name);
    try {
      const console: unknown = JSON.parse(readFileSync(path, 'utf8'));
      if (!isRunningConsole(console)) continue;
      if (isAlive(console.pid)) found.push({ console, ms: lstatSync(path).mtimeMs });
      else removeFiles(path);
    } catch {
      // It was removed in the meantime.
    }
  }
  return found.sort((a, b) => b.ms - a.ms).map(({ console }) => console);
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

function consoleFolder({ XDG_RUNTIME_DIR, XDG_CACHE_HOME, LOCALAPPDATA }: NodeJS.ProcessEnv): string {
  const base = XDG_RUNTIME_DIR || XDG_CACHE_HOME || LOCALAPPDATA || join(homedir(), '.cache');
  return join(base, 'kindwright-consoles');
}

function isRunningConsole(value: unknown): value is RunningConsole {
  if (!isJsonObject(value)) return false;
  const { url, token, pid } = value;
  return typeof url === 'string' && typeof token === 'string' && typeof pid === 'number';
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
