import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { Client } from '../../src/client/client.js';
import { loadClusterConfig } from '../../src/client/cluster-config.js';

/** A running command and its output so far. */
export class StartedCommand {
  stdout = '';
  stderr = '';
  private readonly exited: Promise<unknown>;
  private readonly clients: Client[] = [];

  constructor(private readonly child: ChildProcess) {
    this.exited = once(child, 'exit');
    child.stdout!.on('data', (chunk) => (this.stdout += String(chunk)));
    child.stderr!.on('data', (chunk) => (this.stderr += String(chunk)));
  }

  /** Resolves as soon as the standard output matches. */
  printed(pattern: RegExp): Promise<RegExpExecArray> {
    const { child } = this;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        child.stdout!.off('data', look);
        child.off('close', fail);
      };
      const look = (): void => {
        const match = pattern.exec(this.stdout);
        if (!match) return;
        stop();
        resolve(match);
      };
      const fail = (): void => {
        stop();
        reject(new Error(`ended without ${String(pattern)}: ${this.stdout}${this.stderr}`));
      };
      child.stdout!.on('data', look);
      child.once('close', fail);
      look();
    });
  }

  async kubeconfig(): Promise<string> {
    const [, path] = await this.printed(/export KUBECONFIG=(.+)\n/);
    return path!;
  }

  /** A client of the server that it prints the kubeconfig of. */
  async client(): Promise<Client> {
    const client = new Client(await loadClusterConfig({ kubeconfig: await this.kubeconfig() }));
    this.clients.push(client);
    return client;
  }

  /** Closes the reading end of the pipe of its standard output. */
  closeOutput(): void {
    this.child.stdout!.destroy();
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Resolves when it has ended by itself and all it wrote is there. */
  async closed(): Promise<void> {
    await once(this.child, 'close');
  }

  /** Resolves to the exit code. */
  async end(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    for (const client of this.clients) client.close();
    this.child.kill(signal);
    await this.exited;
    return this.child.exitCode;
  }
}
