import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from '@jest/globals';
import type { Deployment } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { freePort } from '../../controlplane/free-port.js';

export type PodTemplate = NonNullable<Deployment['spec']>['template'];

const root = join(import.meta.dirname, '..', '..', '..');

/** The container of a pod as a process, with exactly the command, arguments and ports of the pod. */
export class PodProcess {
  readonly lines: string[] = [];
  isReady = false;

  private constructor(
    private readonly template: PodTemplate,
    private readonly ports: Readonly<Record<string, number>>,
    private readonly child: ChildProcess,
  ) {
    for (const stream of [child.stdout!, child.stderr!])
      createInterface({ input: stream }).on('line', (line) => this.lines.push(line));
  }

  /** @param folder the working directory, which the image contains */
  static async start(template: PodTemplate, folder: string, variables: NodeJS.ProcessEnv): Promise<PodProcess> {
    const { command = [], args = [], ports: declared = [] } = containerOf(template);
    const ports: Record<string, number> = {};
    for (const { containerPort } of declared) ports[containerPort] = await freePort();
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = {
      PATH,
      NODE_COMPILE_CACHE,
      NODE_OPTIONS: `--import=${join(import.meta.dirname, 'pod-network.mjs')}`,
      POD_PORTS: JSON.stringify(ports),
      ...variables,
    };
    const program = join(root, 'dist', 'cli', 'bin', `${command[0] ?? ''}.js`);
    const child = spawn(process.execPath, [program, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    return new PodProcess(template, ports, child);
  }

  get labels(): Readonly<Record<string, string>> {
    return this.template.metadata?.labels ?? {};
  }

  /** Returns where a port of the container, given by number or name, listens on this machine. */
  localPort(port: string | number): number {
    const { ports = [] } = containerOf(this.template);
    const { containerPort } = ports.find(({ name }) => name === port) ?? { containerPort: Number(port) };
    return this.ports[containerPort] ?? 0;
  }

  /** Resolves when the readiness probe succeeds. */
  async ready(): Promise<void> {
    const { path = '', port = 0 } = containerOf(this.template).readinessProbe?.httpGet ?? {};
    const url = `http://127.0.0.1:${this.localPort(port)}${path}?verbose`;
    await eventually(
      async () => {
        const response = await fetch(url).catch(() => undefined);
        const report = response?.ok ? 'ready' : `${await response?.text()}\n${this.lines.join('\n')}`;
        expect(report).toBe('ready');
      },
      { timeout: '50s' },
    );
    this.isReady = true;
  }

  /** Ends the process as the kubelet does, and returns its exit code. */
  async stop(): Promise<number | null> {
    this.isReady = false;
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exit = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await exit;
    }
    return this.child.exitCode;
  }
}

export function containerOf(template: PodTemplate) {
  const [container] = template.spec?.containers ?? [];
  if (!container) throw new Error('the pod has no container');
  return container;
}
