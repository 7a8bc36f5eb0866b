import { execFile } from 'node:child_process';
import { appendFileSync, cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { TemporaryProject } from '../../cli/temporary-project.js';
import { findHelm } from '../../controlplane/binaries.js';
import type { SimulatedCluster } from './simulated-cluster.js';

export const LAYOUTS = ['plain', 'kustomize', 'helm'] as const;
export type LayoutName = (typeof LAYOUTS)[number];

/** The project of an operator, whose releases are installed, upgraded and uninstalled as docs/deployment.md describes. */
export class Installation {
  private readonly project = new TemporaryProject();
  readonly namespace: string;

  constructor(
    readonly layout: LayoutName,
    readonly cluster: SimulatedCluster,
    private readonly operator: string,
    source: string,
  ) {
    cpSync(source, this.project.folder, { recursive: true });
    this.namespace = layout === 'plain' ? `${operator}-system` : `${operator}-${layout}`;
  }

  get folder(): string {
    return this.project.folder;
  }

  /** The options with which commands reach the cluster. */
  get access(): readonly string[] {
    return ['--kubeconfig', this.cluster.controlPlane.kubeconfig];
  }

  /** Generates the manifests of a release and applies them. */
  async apply(release: number): Promise<void> {
    await this.command(
      'generate-manifests',
      `release-${release}/${this.operator}.ts`,
      `--layout=${this.layout}`,
      `--image=registry.acme.io/${this.operator}:${release}`,
    );
    if (this.layout === 'helm') {
      await this.helm('upgrade', '--install', this.operator, this.path('chart'), '--create-namespace');
    } else if (this.layout === 'plain') {
      await this.cluster.kubectl('apply', ...this.definitions(), '-f', this.path());
    } else {
      const config = this.path('config', 'default');
      if (release === 1)
        appendFileSync(join(config, 'kustomization.yaml'), `namespace: ${this.namespace}\nnamePrefix: acme-\n`);
      await this.cluster.kubectl('apply', '-k', config);
    }
  }

  /** Starts the pods of the applied release. */
  async rollOut(): Promise<void> {
    await this.cluster.rollOut(this.namespace, this.folder);
  }

  async uninstall(): Promise<void> {
    const { cluster } = this;
    if (this.layout === 'helm') {
      await this.helm('uninstall', this.operator);
      const definitions = await cluster.kubectl('get', 'crd', '--output=name');
      await cluster.kubectl('delete', ...definitions.trim().split('\n'), `namespace/${this.namespace}`);
    } else if (this.layout === 'plain') {
      await cluster.kubectl('delete', '-f', this.path());
      await cluster.kubectl('delete', ...this.definitions());
    } else {
      await cluster.kubectl('delete', '-k', this.path('config', 'default'));
    }
    await cluster.stopPods(this.namespace);
    this.project.remove();
  }

  /** Runs a command of the project to its end, which must succeed. */
  async command(name: 'kindwright' | 'generate-manifests', ...args: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.project.run(name, args);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return stdout;
  }

  private async helm(...args: string[]): Promise<void> {
    const env = { ...process.env, KUBECONFIG: this.cluster.controlPlane.kubeconfig, HOME: this.folder };
    await promisify(execFile)(await findHelm(), [...args, '--namespace', this.namespace], { env });
  }

  private path(...parts: string[]): string {
    return join(this.folder, 'crds-out', this.operator, ...parts);
  }

  private definitions(): string[] {
    const files = readdirSync(join(this.folder, 'crds-out')).filter((name) => name.endsWith('.yaml'));
    return files.flatMap((name) => ['-f', join(this.folder, 'crds-out', name)]);
  }
}
