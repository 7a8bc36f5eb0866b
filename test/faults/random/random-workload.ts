import {
  CoreEvent,
  Deployment,
  Node,
  NotFoundError,
  Pod,
  RuntimeClass,
  toKindRef,
  type Client,
  type KindLike,
  type ObjectOf,
} from 'kindwright';
import { HelloApp } from '../../../operators/helloapp.js';
import { Mydemo } from '../../../operators/mydemo.js';
import { NodePool } from '../../../operators/nodepool.js';
import { PodBugger } from '../../../operators/podbugger.js';
import { PodSet } from '../../../operators/podset.js';
import { createPod } from '../harness/crash-scenarios.js';

export const ROLE = 'node-role.kubernetes.io/';

type Change = (this: RandomWorkload, name: string) => Promise<unknown>;

/** Random changes by users, kubelets and other controllers to the kinds of the five operators in one namespace. */
export class RandomWorkload {
  /** How many objects of each kind were created or deleted so far, by the name of the kind. */
  readonly created = new Map<string, number>();
  readonly deleted = new Map<string, number>();
  private pods = 0;

  constructor(
    readonly admin: Client,
    readonly namespace: string,
    private readonly random: () => number,
  ) {}

  /** Names of cluster scope. */
  pool(index: number): string {
    return `${this.namespace}-${index}`;
  }

  async prepare(): Promise<void> {
    for (const index of [0, 1, 2])
      await this.admin.create(Node, { metadata: { name: `${this.namespace}-node-${index}` } });
    for (const index of [0, 1]) await this.createEach(index);
  }

  /** Makes one random change. A change of an object that does not exist has no effect. */
  async step(): Promise<void> {
    const change = CHANGES[this.below(CHANGES.length)];
    await change?.call(this, `${this.below(3)}`).catch((error: unknown) => {
      const { reason } = error as { reason?: string };
      if (!(error instanceof NotFoundError) && reason !== 'AlreadyExists') throw error;
    });
  }

  /** Deletes the objects that the garbage collector would delete; it does not run here. */
  async collectGarbage(): Promise<void> {
    const { admin, namespace } = this;
    const owners = [PodSet, HelloApp].map(async (kind) => (await admin.list(kind, { namespace })).items);
    const uids = new Set(
      [...(await Promise.all(owners)).flat(), ...(await this.allPools())].map(({ metadata }) => metadata.uid),
    );
    for (const kind of [Deployment, RuntimeClass] as const) {
      const scope = kind === Deployment ? { namespace } : {};
      for (const { metadata } of (await admin.list(kind, scope)).items) {
        const { name, uid, ownerReferences = [] } = metadata;
        const isDangling = ownerReferences.length > 0 && ownerReferences.every((owner) => !uids.has(owner.uid));
        if (isDangling) await admin.delete(kind, name, { ...scope, preconditions: { uid } }).catch(ignoreNotFound);
      }
    }
  }

  async pools(): Promise<ObjectOf<typeof NodePool>[]> {
    return (await this.allPools()).filter(({ metadata }) => metadata.name.startsWith(`${this.namespace}-`));
  }

  /** Deletes the objects that the deletion of a namespace leaves. */
  async cleanUp(): Promise<void> {
    const { admin } = this;
    for (const { metadata } of await this.pools()) {
      await admin.patch(NodePool, metadata.name, { metadata: { finalizers: null } }).catch(ignoreNotFound);
      await admin.delete(NodePool, metadata.name).catch(ignoreNotFound);
      await admin.delete(RuntimeClass, metadata.name).catch(ignoreNotFound);
    }
    for (const index of [0, 1, 2]) await admin.delete(Node, `${this.namespace}-node-${index}`).catch(ignoreNotFound);
  }

  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  async create(kind: KindLike, name: string, spec: object): Promise<void> {
    const scope = kind === NodePool ? {} : { namespace: this.namespace };
    await this.admin.create(kind, { metadata: { name, ...scope }, spec } as never);
    count(this.created, kind);
  }

  async change(kind: KindLike, name: string, patch: object): Promise<void> {
    await this.admin.patch(kind, name, patch, kind === NodePool || kind === Node ? {} : { namespace: this.namespace });
  }

  async delete(kind: KindLike, name: string): Promise<void> {
    await this.admin.delete(kind, name, kind === NodePool ? {} : { namespace: this.namespace });
    count(this.deleted, kind);
  }

  async createPod(labels: Record<string, string>): Promise<void> {
    await createPod(this, `pod-${this.pods++}`, labels);
  }

  async deletePod(): Promise<void> {
    const { namespace } = this;
    const name = `pod-${this.below(Math.max(1, this.pods))}`;
    await this.admin.delete(Pod, name, { namespace, gracePeriodSeconds: 0 });
  }

  private async createEach(index: number): Promise<void> {
    await this.create(PodSet, `set-${index}`, { size: 1 });
    await this.create(HelloApp, `app-${index}`, { image: 'one', size: 1 });
    await this.create(Mydemo, `demo-${index}`, { ip: '127.0.0.1', port: 1 });
    await this.create(PodBugger, `bug-${index}`, {
      selector: { matchLabels: { app: `web-${index}` } },
      image: 'busybox',
    });
    await this.create(NodePool, this.pool(index), { labels: { [`${this.pool(index)}/a`]: '0' }, handler: 'one' });
  }

  private async allPools(): Promise<ObjectOf<typeof NodePool>[]> {
    return (await this.admin.list(NodePool)).items;
  }
}

const CHANGES: readonly Change[] = [
  function (name) {
    return this.create(PodSet, `set-${name}`, { size: this.below(4) });
  },
  function (name) {
    return this.change(PodSet, `set-${name}`, { spec: { size: this.below(4) } });
  },
  function (name) {
    return this.delete(PodSet, `set-${name}`);
  },
  function (name) {
    return this.createPod({ app: 'podSet', podSet_cr: `set-${name}` });
  },
  function () {
    return this.deletePod();
  },
  function (name) {
    return this.change(Pod, `pod-${this.below(4)}`, { metadata: { labels: { podSet_cr: `set-${name}` } } });
  },
  function (name) {
    return this.create(HelloApp, `app-${name}`, { image: 'one', size: this.below(4) });
  },
  function (name) {
    return this.change(HelloApp, `app-${name}`, { spec: { image: `image-${this.below(4)}`, size: this.below(4) } });
  },
  function (name) {
    return this.delete(HelloApp, `app-${name}`);
  },
  function (name) {
    const count = this.below(4);
    const status = { replicas: count, readyReplicas: count, availableReplicas: count };
    const options = { namespace: this.namespace, subresource: 'status' };
    return this.admin.patch(Deployment, `app-${name}`, { status }, options);
  },
  function (name) {
    return this.change(Deployment, `app-${name}`, { spec: { replicas: 7 }, metadata: { labels: { app: 'theirs' } } });
  },
  function (name) {
    return this.delete(Deployment, `set-${name}`);
  },
  function (name) {
    return this.create(Mydemo, `demo-${name}`, { ip: '127.0.0.1', port: 1 + this.below(9) });
  },
  function (name) {
    return this.delete(Mydemo, `demo-${name}`);
  },
  function (name) {
    return this.create(PodBugger, `bug-${name}`, {
      selector: { matchLabels: { app: `web-${name}` } },
      image: 'busybox',
    });
  },
  function (name) {
    return this.delete(PodBugger, `bug-${name}`);
  },
  function (name) {
    return this.createPod({ app: `web-${name}` });
  },
  function (name) {
    return this.create(NodePool, this.pool(Number(name)), { handler: 'one' });
  },
  function (name) {
    const pool = this.pool(Number(name));
    const handler = ['one', 'two', null][this.below(3)];
    return this.change(NodePool, pool, { spec: { handler, labels: { [`${pool}/a`]: `${this.below(4)}` } } });
  },
  function (name) {
    return this.delete(NodePool, this.pool(Number(name)));
  },
  function (name) {
    const labels = { [ROLE + this.pool(this.below(3))]: this.below(2) === 0 ? '' : null };
    return this.change(Node, `${this.namespace}-node-${name}`, { metadata: { labels } });
  },
];

/** The names of the objects of a kind that have an Event of a reason. */
export async function namesWithEvent({ admin, namespace }: RandomWorkload, reason: string): Promise<Set<string>> {
  const { items } = await admin.list(CoreEvent, { namespace });
  return new Set(items.filter((event) => event.reason === reason).map((event) => event.involvedObject.name ?? ''));
}

function count(counts: Map<string, number>, kind: KindLike): void {
  const { kind: name } = toKindRef(kind);
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof NotFoundError)) throw error;
  return undefined;
}
