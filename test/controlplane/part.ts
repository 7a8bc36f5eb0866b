import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Watchdog } from './watchdog.ts';

export interface PartOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly logFile: string;
  readonly watchdog: Watchdog;
}

/** With open watches neither etcd nor the API server would end by itself for much longer. */
const GRACE_MS = 2000;

/** One program of the control plane, which can be stopped and started again. */
export class Part {
  private readonly options: PartOptions;
  private child: ChildProcess | undefined;
  private isStopped = false;

  constructor(options: PartOptions) {
    this.options = options;
  }

  get name(): string {
    return this.options.name;
  }

  get pid(): number | undefined {
    return this.isRunning ? this.child?.pid : undefined;
  }

  get isRunning(): boolean {
    return this.child?.pid !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  start(): void {
    if (this.isRunning) return;
    const { command, args, cwd, logFile, watchdog } = this.options;
    const log = openSync(logFile, 'a');
    const child = spawn(command, args, { cwd, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    child.unref(); // a forgotten cluster must not keep its process from ending, which ends the cluster
    child.on('error', () => undefined); // shows as a part that does not run
    const { pid } = child;
    if (pid !== undefined) {
      watchdog.add(pid);
      child.once('exit', () => {
        watchdog.remove(pid);
      });
    }
    this.child = child;
    this.isStopped = false;
  }

  /** Ends the process, with SIGKILL when it does not obey in time. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const { child } = this;
    if (!child || !this.isRunning) return;
    this.isStopped = true;
    child.ref();
    const exit = once(child, 'exit');
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    await exit;
    clearTimeout(timer);
  }

  /** @throws Error with the end of its log when the process ended by itself. */
  checkAlive(): void {
    if (this.isRunning || this.child === undefined || this.isStopped) return;
    const { name, command, logFile } = this.options;
    const how = this.child.signalCode ?? `exit code ${String(this.child.exitCode ?? 'unknown')}`;
    const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-10);
    throw new Error(`${name} (${command}) ended with ${how}:\n${lines.join('\n')}`);
  }
}
