import type { ChildProcess } from 'node:child_process';
import type { Clock } from '../../base/clock.js';
import { OperatorError } from '../../base/operator-error.js';

export interface RunProgramOptions {
  /** Variables on top of the process's own. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether it may read from the terminal. */
  readonly interactive: boolean;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly clock: Clock;
  readonly hint?: string | undefined;
}

/**
 * What a program prints. It is started without a shell, and ended when it takes too long or prints too much.
 *
 * Its complaints go to standard error, to be seen by the user and by no log.
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
      reject(new OperatorError(`credential plugin ${command} ${what}`, { code: 'E_EXEC_PLUGIN', hint: withHint }));
    };
    const cancel = clock.schedule(timeoutMs, () => {
      fail(`did not end within ${timeoutMs / 1000} s`);
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
      else fail(code === null ? `was ended by ${signal ?? 'a signal'}` : `failed with exit code ${code}`, hint);
    });
  });
}
