import type { ChildProcess } from 'node:child_process';
import type { Clock } from '../../base/clock.js';
import { OperatorError } from '../../base/operator-error.js';

export interface RunProgramOptions {
  /** Variables in addition to those of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** True if the program can read from the terminal. */
  readonly interactive: boolean;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly clock: Clock;
  readonly hint?: string | undefined;
}

/**
 * Returns the standard output of a program. It runs without a shell. It is killed, with the processes that it started, on
 * timeout, too much output, and when this process exits.
 *
 * Its standard error is inherited, so that the user sees it and no log contains it.
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: RunProgramOptions,
): Promise<string> {
  const { spawn } = await import('node:child_process');
  const child = spawn(command, args, {
    env: { ...process.env, ...options.env },
    stdio: [options.interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
    shell: false,
    // A group of its own, to end also what it started; but only the terminal's group can read from the terminal.
    detached: !options.interactive,
  });
  running.add(child);
  if (running.size === 1) process.once('exit', killAll);
  const end = (): void => {
    running.delete(child);
    if (running.size === 0) process.off('exit', killAll);
  };
  return output(child, command, options).finally(end);
}

const running = new Set<ChildProcess>();

function killAll(): void {
  for (const child of running) kill(child);
}

/** Kills a program and the processes that it started. */
function kill(child: ChildProcess): void {
  try {
    if (child.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has no group of its own, or has ended.
  }
  child.kill('SIGKILL');
}

function output(child: ChildProcess, command: string, options: RunProgramOptions): Promise<string> {
  const { timeoutMs, maxOutputBytes, clock, hint } = options;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const fail = (what: string, withHint?: string): void => {
      cancel();
      kill(child);
      child.stdout?.destroy(); // a process that the program started may hold it open
      reject(new OperatorError(`credential plugin ${command} ${what}`, { code: 'E_EXEC_PLUGIN', hint: withHint }));
    };
    const cancel = clock.schedule(timeoutMs, () => {
      fail(`did not exit within ${timeoutMs / 1000} s`);
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxOutputBytes) fail(`printed more than ${maxOutputBytes} bytes`);
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT')
        fail('is not installed', hint ?? 'install it, or see exec.command in the kubeconfig');
      else fail(`cannot be run: ${error.code ?? error.message}`, hint);
    });
    child.on('close', (code, signal) => {
      cancel();
      if (code === 0) resolve(Buffer.concat(chunks).toString());
      else fail(code === null ? `was terminated by ${signal ?? 'a signal'}` : `failed with exit code ${code}`, hint);
    });
  });
}
