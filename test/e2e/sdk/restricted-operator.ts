import { setTimeout as delay } from 'node:timers/promises';
import {
  Client,
  ClusterRole,
  ClusterRoleBinding,
  RoleBinding,
  SelfSubjectAccessReview,
  ServiceAccount,
  type Access,
} from 'kindwright';
import { eventually } from 'kindwright/testing';
import { Secret } from '../../../src/client/secret.js';

/** Verbs on a resource that are given and taken together. */
export interface Right {
  readonly name: string;
  readonly group: string;
  readonly resource: string;
  readonly verbs: readonly string[];
}

/** A client with a service account that has certain rights, and what became of its requests. */
export class RestrictedOperator {
  refused = 0;
  writes = 0;
  private requests = 0;
  private readonly accesses: Access[] = [];
  readonly client: Client;

  private constructor(config: Client['config']) {
    this.client = new Client(config, {
      metrics: {
        request: (code, method) => {
          this.requests++;
          if (code === '403') this.refused++;
          if (method !== 'GET') this.writes++;
        },
      },
      onAccess: (access) => this.accesses.push(access),
    });
  }

  /** Resolves when the server knows of the rights. */
  static async create(admin: Client, name: string, rights: readonly Right[], isCluster: boolean) {
    const rules = rights.map(({ group, resource, verbs }) => ({
      apiGroups: [group],
      resources: [resource],
      verbs: [...verbs],
    }));
    await admin.create(ClusterRole, { metadata: { name }, rules });
    await admin.create(ServiceAccount, { metadata: { name, namespace: name } });
    const binding = {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace: name }],
    };
    if (isCluster) await admin.create(ClusterRoleBinding, { metadata: { name }, ...binding });
    else await admin.create(RoleBinding, { metadata: { name, namespace: name }, ...binding });
    const { status } = await admin.request<{ status: { token: string } }>({
      method: 'POST',
      path: `/api/v1/namespaces/${name}/serviceaccounts/${name}/token`,
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    });
    const { ca, insecureSkipVerify } = admin.config.tls ?? {};
    const tls = { ...(ca && { ca }), ...(insecureSkipVerify !== undefined && { insecureSkipVerify }) };
    const config = { ...admin.config, namespace: name, tls, auth: { token: new Secret(status.token) } };
    await RestrictedOperator.known(new Client(config), name, rights);
    return new RestrictedOperator(config);
  }

  private static async known(client: Client, namespace: string, rights: readonly Right[]): Promise<void> {
    for (const { group, resource, verbs } of rights) {
      const [plural = '', subresource] = resource.split('/');
      const resourceAttributes = { group, resource: plural, subresource, verb: verbs[0], namespace };
      await eventually(async () => {
        const review = await client.create(SelfSubjectAccessReview, { metadata: {}, spec: { resourceAttributes } });
        if (!review.status?.allowed) throw new Error(`${resource} is not allowed yet`);
      });
    }
    client.close();
  }

  /** True if one of the verbs was requested. */
  used({ group, resource, verbs }: Right): boolean {
    return this.accesses.some(
      (access) => access.group === group && access.resource === resource && verbs.includes(access.verb),
    );
  }

  /** Waits until no request follows another; the absence of one cannot be waited for. */
  async settled(): Promise<void> {
    for (let before = -1; before !== this.requests && this.refused === 0;) {
      before = this.requests;
      await delay(150);
    }
  }
}
