import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';

/** Kills the listed processes when standard input ends because the parent process has ended. */
const SCRIPT = `
alive=
while read -r verb pid; do
  rest=
  for p in $alive; do [ "$p" = "$pid" ] || rest="$rest $p"; done
  alive=$rest
  [ "$verb" = add ] && alive="$alive $pid"
done
for p in $alive; do kill -s KILL -- "-$p"; done 2> /dev/null
[ -z "$1" ] || rm -rf "$1" || { sleep 1; rm -rf "$1"; }
`;

/**
 * Ends all child processes when this process ends, also after `kill -9`.
 *
 * A shell in a session of its own, so that Ctrl-C does not reach it, reads from a pipe whose other end only this
 * process holds.
 */
export class Watchdog {
  private readonly shell: ChildProcess;

  /** `temporaryFolder` is deleted in the end. */
  constructor(temporaryFolder?: string) {
    this.shell = spawn('sh', ['-c', SCRIPT, 'watchdog', temporaryFolder ?? ''], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.shell.unref();
    const { stdin } = this.shell;
    if (stdin instanceof Socket) stdin.unref();
    stdin?.on('error', () => undefined); // it has been killed itself
  }

  /** The process must lead a process group: the whole group is killed. */
  add(pid: number): void {
    this.shell.stdin?.write(`add ${String(pid)}\n`);
  }

  remove(pid: number): void {
    this.shell.stdin?.write(`remove ${String(pid)}\n`);
  }

  /** Kills the processes that are still listed, and deletes the folder. */
  async end(): Promise<void> {
    if (this.shell.exitCode !== null || this.shell.signalCode !== null) return;
    this.shell.ref();
    const exit = once(this.shell, 'exit');
    this.shell.stdin?.end();
    await exit;
  }
}
