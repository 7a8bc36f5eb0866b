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
 * Returns the standard output of a program. It runs without a shell, and is killed on timeout or too much output.
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
  });
  return output(child, command, options);
}

function output(child: ChildProcess, command: string, options: RunProgramOptions): Promise<string> {
  const { timeoutMs, maxOutputBytes, clock, hint } = options;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const fail = (what: string, withHint?: string): void => {
      cancel();
      child.kill('SIGKILL');
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
