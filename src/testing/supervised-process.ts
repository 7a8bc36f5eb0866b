import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a program, and kills it when standard input ends: that is when its parent process has ended, even by `kill -9`.
 * Exits as the program does.
 */
const GUARD = `
exec 3<&0
"$@" < /dev/null &
program=$!
{ cat <&3 > /dev/null; kill -s KILL $program; } 2> /dev/null &
wait $program
`;

/** The end of the output, for the error message when the program exits. */
const KEPT_CHARACTERS = 4000;

/** A program that does not outlive this process. */
export class SupervisedProcess {
  private output = '';
  private readonly shell: ChildProcess;
  private readonly exit: Promise<unknown>;

  constructor(
    readonly name: string,
    args: readonly string[],
  ) {
    this.shell = spawn('sh', ['-c', GUARD, 'sh', name, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.exit = once(this.shell, 'exit');
    this.exit.catch(() => undefined);
    this.shell.stdin?.on('error', () => undefined); // the program has ended by itself
    for (const stream of [this.shell.stdout, this.shell.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output = (this.output + text).slice(-KEPT_CHARACTERS);
      });
    }
  }

  /** The last lines it printed if it has ended. */
  get lastOutput(): string | undefined {
    const isRunning = this.shell.exitCode === null && this.shell.signalCode === null;
    return isRunning ? undefined : this.output.trimEnd().split('\n').slice(-5).join('\n');
  }

  async kill(): Promise<void> {
    this.shell.stdin?.end();
    if (this.lastOutput === undefined) await this.exit;
    this.shell.stdout?.destroy(); // a child of the program may hold it open
    this.shell.stderr?.destroy();
  }
}
