import {
  ConfigMap,
  type Context,
  Controller,
  CustomResource,
  Every,
  Field,
  Finalizer,
  Kind,
  ObjectController,
  type Result,
} from 'kindwright';
import type { Cluster } from 'kindwright/testing';

export const namespace = 'default';
const fleetLabel = { fleet: 'true' };

/** Calls of Copier: `<cluster> <object>`, or the cluster. Its reconciles wait for `held`. */
export const record = {
  reconciled: [] as string[],
  timers: [] as string[],
  aborted: [] as string[],
  held: undefined as Promise<void> | undefined,
};

/** Copies ConfigMaps within their cluster and to the operator's own cluster. */
@Controller({ for: ConfigMap, name: 'copier', clusters: 'all', cache: { labelSelector: 'fleet=true' } })
export class Copier extends ObjectController<ConfigMap> {
  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.object.metadata;
    const where = `${ctx.clusterName ?? ''} ${name}`;
    record.reconciled.push(where);
    ctx.signal.addEventListener('abort', () => record.aborted.push(where));
    await record.held;
    const { data } = this.object;
    await ctx.apply(ConfigMap, { metadata: { name: `${name}-copy` }, ...(data && { data }) });
    const metadata = { name: `${ctx.clusterName ?? ''}-${name}`, namespace };
    await ctx.cluster().apply(ConfigMap, { metadata, ...(data && { data }) });
  }

  @Every('100ms') tick(ctx: Context): void {
    record.timers.push(ctx.clusterName ?? '');
  }

  @Finalizer('test.example.com/copies') async release(ctx: Context): Promise<Result | void> {
    await ctx.cluster().delete(ConfigMap, `${ctx.clusterName ?? ''}-${this.object.metadata.name}`, { namespace });
  }
}

class GadgetStatus {
  @Field({ optional: true }) cluster?: string;
}

/** Writes the name of its cluster into its status. */
@Kind({ group: 'test.example.com', version: 'v1' })
@Controller({ clusters: ['east'] })
export class Gadget extends CustomResource {
  @Field() status!: GadgetStatus;

  reconcile(ctx: Context): void {
    if (ctx.clusterName !== undefined) this.status.cluster = ctx.clusterName;
  }
}

/** Creates a ConfigMap that Copier reconciles. */
export const createMap = (cluster: Cluster, name: string, data: Record<string, string> = {}) =>
  cluster.create(ConfigMap, { metadata: { name, namespace, labels: fleetLabel }, data });
/** The names of the ConfigMaps. */
export const mapsOf = async (cluster: Cluster): Promise<string[]> =>
  (await cluster.client.list(ConfigMap, { namespace })).items
    .map(({ metadata }) => metadata.name)
    .filter((name) => name !== 'kube-root-ca.crt')
    .sort();
