import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { ServiceAccount, type Client } from 'kindwright';
import type { AuditEvent } from '../controlplane/audit-log.js';
import { applyFile } from './apply-file.js';
import { projectRoot } from './operator-process.js';
import { kubeconfigOf } from './service-account.js';
import type { SuiteControlPlane } from './suite-control-plane.js';

/** The ServiceAccount that an operator's generated manifests give it, with its roles and nothing more. */
export class OperatorAccount {
  private constructor(
    /** The path of a kubeconfig that authenticates as it. */
    readonly kubeconfig: string,
    private readonly user: string,
    private readonly cluster: SuiteControlPlane,
  ) {}

  /**
   * Applies what crds-out holds for an operator, but for kinds left out. Its Deployment always is: the suite runs it.
   */
  static async install(
    cluster: SuiteControlPlane,
    admin: Client,
    operator: string,
    leftOut: readonly string[] = [],
  ): Promise<OperatorAccount> {
    const out = join(projectRoot, 'crds-out');
    const definition = globSync(`*_${operator}s.yaml`, { cwd: out });
    for (const file of [...definition, ...globSync(`${operator}/*.yaml`, { cwd: out }).sort()])
      await applyFile(admin, join(out, file), ['Deployment', ...leftOut]);
    const name = `${operator}-controller-manager`;
    const { items } = await admin.list(ServiceAccount);
    const { namespace = '' } = items.find(({ metadata }) => metadata.name === name)!.metadata;
    const kubeconfig = await kubeconfigOf(cluster, admin, { namespace, name });
    return new OperatorAccount(kubeconfig, `system:serviceaccount:${namespace}:${name}`, cluster);
  }

  /** The requests that it sent to the API server. */
  async calls(): Promise<AuditEvent[]> {
    return (await this.cluster.auditEvents()).filter(({ user }) => user === this.user);
  }

  /** Asserts that the operator sent requests, and that none was forbidden. */
  async expectNoForbiddenCall(): Promise<void> {
    const calls = await this.calls();
    expect(calls).not.toEqual([]);
    expect(calls.filter(({ code }) => code === 403)).toEqual([]);
  }
}
