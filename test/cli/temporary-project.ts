import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..');
const execute = promisify(execFile);

export type CommandName = 'kindwright' | 'run-operator' | 'generate-manifests';

/** How a command ended. */
export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A user's project in a folder of its own, which uses the built package. */
export class TemporaryProject {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'kindwright-project-')));

  constructor(files: Readonly<Record<string, string>> = {}) {
    this.write({ 'package.json': '{ "type": "module" }', ...files });
    mkdirSync(join(this.folder, 'node_modules'));
    symlinkSync(root, join(this.folder, 'node_modules', 'kindwright'));
    symlinkSync(join(root, 'node_modules', 'class-validator'), join(this.folder, 'node_modules', 'class-validator'));
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true });
      writeFileSync(join(this.folder, path), text);
    }
  }

  delete(path: string): void {
    rmSync(join(this.folder, path));
  }

  /** Runs a command to its end, in the folder of the project or one that is relative to it. */
  async run(
    command: CommandName,
    args: readonly string[] = [],
    env: NodeJS.ProcessEnv = {},
    folder = '.',
  ): Promise<Outcome> {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    try {
      const { stdout, stderr } = await execute(process.execPath, [binOf(command), ...args], {
        cwd: join(this.folder, folder),
        env: { PATH, NODE_COMPILE_CACHE, HOME: this.folder, ...env },
      });
      return { exitCode: 0, stdout, stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { exitCode: code, stdout, stderr };
    }
  }

  /** Starts a command and leaves it running. */
  start(command: CommandName, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): ChildProcess {
    return spawn(process.execPath, [binOf(command), ...args], { cwd: this.folder, env: { ...process.env, ...env } });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

function binOf(command: CommandName): string {
  return join(root, 'dist', 'cli', 'bin', `${command}.js`);
}
