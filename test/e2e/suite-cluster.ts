import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { startCluster } from 'kindwright/testing';
import { ControlPlane } from '../controlplane/control-plane.js';
import { projectRoot } from './operator-process.js';

/** Which server the suites run on: each jest project says so in its `globals`. */
declare const E2E_SERVER: 'embedded' | 'real';

// Operators are processes, and garbage is collected within.
jest.setTimeout(120_000);

/** What an end-to-end suite knows of its cluster: the embedded server, or a real control plane. */
export interface SuiteCluster {
  readonly kubeconfig: string;
  /** Applies a file of manifests of the project. */
  applyFile(path: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startSuiteCluster(): Promise<SuiteCluster> {
  return E2E_SERVER === 'real' ? startReal() : startEmbedded();
}

async function startReal(): Promise<SuiteCluster> {
  const controlPlane = await ControlPlane.start();
  return {
    kubeconfig: controlPlane.kubeconfig,
    async applyFile(path) {
      await controlPlane.kubectl(['apply', '-f', join(projectRoot, path)]);
    },
    stop: () => controlPlane.stop(),
  };
}

async function startEmbedded(): Promise<SuiteCluster> {
  const cluster = await startCluster({ real: false });
  return {
    kubeconfig: cluster.kubeconfig,
    async applyFile(path) {
      await cluster.apply(await readFile(join(projectRoot, path), 'utf8'));
    },
    stop: () => cluster.stop(),
  };
}
