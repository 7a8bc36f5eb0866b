import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';

/** The longest command is the installation of packages. */
const COMMAND_MS = 180_000;

/** One bash with job control, as the terminal of a reader. */
export class Terminal {
  private readonly shell: ChildProcessWithoutNullStreams;
  private output = '';
  private onOutput: () => void = () => undefined;
  private commands = 0;

  constructor(cwd: string, env: NodeJS.ProcessEnv) {
    this.shell = spawn('bash', ['--norc', '--noprofile'], { cwd, env });
    for (const stream of [this.shell.stdout, this.shell.stderr])
      stream.on('data', (data: Buffer) => {
        this.output += data.toString();
        this.onOutput();
      });
    this.shell.stdin.write('set -m\nexec 2>&1\n');
  }

  /** Runs a command to its end, or to its start if it ends with `&`. */
  async run(command: string): Promise<{ readonly status: number; readonly output: string }> {
    this.commands += 1;
    const end = new RegExp(`^([^]*?)end-${String(this.commands)}:(\\d+)\\n`);
    this.output = '';
    // The commands come from the input, which a program must not read.
    this.shell.stdin.write(`{ ${command}\n} </dev/null\necho "end-${String(this.commands)}:$?"\n`);
    const limit = AbortSignal.timeout(COMMAND_MS);
    for (;;) {
      const [, output, status] = end.exec(this.output) ?? [];
      if (output !== undefined) return { status: Number(status), output };
      if (limit.aborted) throw new Error(`${command} does not end:\n${this.output}`);
      await new Promise<void>((resolve) => {
        this.onOutput = resolve;
        limit.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  /** Ends the shell and its jobs: with job control, each is a process group. */
  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.shell, 'exit');
    this.shell.stdin.end('kill -- $(jobs -p | sed s/^/-/) 2>/dev/null; wait\nexit\n');
    await ended;
  }
}
