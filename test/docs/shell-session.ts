import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { eventually } from '../../src/testing/eventually.js';
import { TemporaryProject, type Outcome } from '../cli/temporary-project.js';

const root = join(import.meta.dirname, '..', '..');

/** Commands that run until they are stopped, and the line that they print when they are ready. */
const LONG_RUNNING =
  /^(?:[A-Z]+=\S+ )*(?:run-operator\b(?!.*(?:missing|--help))|kindwright (?:serve|demo)|node --watch)/;
const KUBECONFIG = /^ *export KUBECONFIG=(\S+)$/m;
const READY_MS = 60_000;

interface RunningCommand {
  readonly line: string;
  readonly child: ChildProcess;
}

/** Runs the commands of a page in a project of a user, as in one terminal after the other. */
export class ShellSession {
  readonly project: TemporaryProject;
  private readonly running: RunningCommand[] = [];
  /** What the commands that run, or ran, until they were stopped have printed. */
  printed = '';

  constructor(
    /** Of the cluster of `kubectl`; replaced by the one that a command prints. */
    private kubeconfig: string,
    kubectl: string,
    files: Readonly<Record<string, string>>,
  ) {
    this.project = new TemporaryProject(files);
    mkdirSync(join(this.project.folder, 'bin'));
    for (const name of ['kindwright', 'run-operator', 'generate-manifests'])
      this.addProgram(name, `exec node ${join(root, 'dist', 'cli', 'bin', `${name}.js`)} "$@"`);
    this.addProgram('npx', 'exec "$@"');
    this.addProgram('kubectl', `exec ${kubectl} "$@"`);
  }

  /** Runs one command. One that does not end by itself is left running once it is ready. */
  async run(line: string): Promise<Outcome> {
    const command = line.replace(/\bnpx /, '');
    // It writes the requests that it has recorded when it stops.
    if (command.startsWith('generate-manifests')) await this.stopAll();
    if (LONG_RUNNING.test(command)) return this.start(line);
    return new Promise((resolve) => {
      execFile('bash', ['-c', line], this.options, (error, stdout, stderr) => {
        resolve({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr });
      });
    });
  }

  async end(): Promise<void> {
    await this.stopAll();
    this.project.remove();
  }

  private async start(line: string): Promise<Outcome> {
    const child = spawn('bash', ['-c', line], { ...this.options, detached: true });
    this.running.push({ line, child });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => {
        output += data.toString();
        this.printed += data.toString();
      });
    const [, printed] = await eventually(
      () => {
        // An operator with its own server prints both, in any order: one is on stdout, the other on stderr.
        const ready = KUBECONFIG.exec(output) ?? (/--embedded|demo/.test(line) ? null : /Started workers/.exec(output));
        if (ready) return ready;
        throw new Error(`${line} is not ready:\n${output}`);
      },
      { timeout: READY_MS },
    );
    if (printed !== undefined) this.kubeconfig = printed;
    return { exitCode: 0, stdout: output, stderr: '' };
  }

  private async stopAll(): Promise<void> {
    for (const { child } of this.running.splice(0).reverse()) {
      if (child.pid === undefined || child.exitCode !== null) continue;
      const ended = once(child, 'exit');
      process.kill(-child.pid, 'SIGTERM'); // the group: the shell and its command
      await ended;
    }
  }

  private get options() {
    const { folder } = this.project;
    const path = [join(folder, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(':');
    // As on a terminal.
    const env = { PATH: path, HOME: folder, KUBECONFIG: this.kubeconfig, KINDWRIGHT_LOG_FORMAT: 'text' };
    return { cwd: folder, env };
  }

  /** Adds a program of the shell. */
  addProgram(name: string, script: string): void {
    const path = join(this.project.folder, 'bin', name);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
  }
}
