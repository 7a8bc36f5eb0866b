import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from '../../src/testing/eventually.js';

export const projectRoot = join(import.meta.dirname, '..', '..');

/** A log line of run-operator in JSON. */
export interface LogLine {
  level: string;
  msg: string;
  [field: string]: unknown;
}

/** `run-operator` as a user starts it: another process, which can be killed. */
export class OperatorProcess {
  readonly lines: LogLine[] = [];

  private constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', (line) => this.lines.push(parseLine(line)));
    }
  }

  /** @param log the file that gets the log in place of `lines` */
  static start(
    kubeconfig: string,
    args: readonly string[],
    log?: string,
    variables: NodeJS.ProcessEnv = {},
  ): OperatorProcess {
    const bin = join(projectRoot, 'dist', 'cli', 'bin', 'run-operator.js');
    const env = { ...process.env, KUBECONFIG: kubeconfig, ...variables };
    const file = log === undefined ? undefined : openSync(log, 'w');
    const child = spawn(process.execPath, [bin, ...args, '--log-format', 'json'], {
      cwd: projectRoot,
      env,
      stdio: ['pipe', file ?? 'pipe', file ?? 'pipe'],
    });
    if (file !== undefined) closeSync(file);
    return new OperatorProcess(child);
  }

  get pid(): number {
    return this.child.pid ?? Number.NaN;
  }

  get messages(): string[] {
    return this.lines.map(({ msg }) => msg);
  }

  /** Resolves with the first line whose message matches; it waits up to 30 seconds between two attempts at something. */
  logged(pattern: RegExp, timeoutMs = 50_000): Promise<LogLine> {
    return eventually(
      () => {
        const line = this.lines.find(({ msg }) => pattern.test(msg));
        if (line) return line;
        throw new Error(`no line matches ${String(pattern)} in:\n${this.messages.join('\n')}`);
      },
      { timeout: timeoutMs },
    );
  }

  async started(): Promise<this> {
    await this.logged(/^Started workers$/);
    return this;
  }

  /** Resolves with the exit code once the process ends by itself. */
  async ended(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    return this.child.exitCode;
  }

  /** Sends a signal that does not end the process, such as SIGSTOP. */
  send(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Sends the signal and resolves with the exit code, or the name of the signal that ended the process. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | NodeJS.Signals | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exit = once(this.child, 'exit');
      this.child.kill(signal);
      await exit;
    }
    return this.child.exitCode ?? this.child.signalCode;
  }
}

function parseLine(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { level: 'none', msg: line };
  }
}
