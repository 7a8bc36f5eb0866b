// Bug: the finalizer deletes all claims with the label of the name, also those of a successor.
// Source: k8ssandra/cass-operator 412 (K8SSAND-559), pravega/zookeeper-operator 312
// Fault: takeover
// Workload: create, delete, create
// Oracle: ledger
import {
  byLabel,
  Context,
  CustomResource,
  Field,
  Finalizer,
  Immutable,
  Kind,
  PersistentVolumeClaim,
  Rbac,
  type Result,
  Sample,
  Watches,
} from 'kindwright';

class KeyspaceSpec {
  @Field({ format: 'int32', minimum: 1, maximum: 3 }) @Immutable() volumes!: number;
}

/** Volumes of a database that have no owner, because they are cleared before they are deleted. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Watches(PersistentVolumeClaim, byLabel('keyspace'))
@Rbac(PersistentVolumeClaim, 'list', 'create', 'patch', 'delete')
@Sample({ name: 'users', spec: { volumes: 1 } })
export class Keyspace extends CustomResource {
  @Field() spec!: KeyspaceSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const labels = { keyspace: name };
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    for (let volume = 0; volume < this.spec.volumes; volume++) {
      const metadata = { name: `${name}-${volume}`, labels };
      await ctx.apply(PersistentVolumeClaim, { metadata, spec }, { owned: false });
    }
  }

  @Finalizer('mutants.example.com/keyspace')
  async clear({ client }: Context): Promise<Result | void> {
    const { name, namespace = '' } = this.metadata;
    const { items } = await client.list(PersistentVolumeClaim, { namespace, labelSelector: `keyspace=${name}` });
    for (const { metadata } of items)
      if (metadata.deletionTimestamp === undefined)
        await client.delete(PersistentVolumeClaim, metadata.name, { namespace });
    if (items.length > 0) return { requeueAfter: '5s' };
  }
}
