// Repaired twin of m02-template-compared.ts: the claims are compared themselves, and changed before the StatefulSet is deleted.
import {
  byLabel,
  Context,
  CustomResource,
  Field,
  Kind,
  Owns,
  PersistentVolumeClaim,
  Rbac,
  type ReadonlyDeep,
  type Result,
  Sample,
  StatefulSet,
  Watches,
} from 'kindwright';

class LedgerSpec {
  @Field({ format: 'int32', minimum: 1, maximum: 3 }) replicas!: number;
  @Field({ enum: ['daily', 'weekly'] }) backup!: string;
}

/** A database; the label of its claims states how often they are backed up. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(StatefulSet)
@Watches(PersistentVolumeClaim, byLabel('ledger'))
@Rbac(PersistentVolumeClaim, 'patch')
@Sample({ name: 'books', spec: { replicas: 2, backup: 'daily' } })
export class Ledger extends CustomResource {
  @Field() spec!: LedgerSpec;

  async reconcile(ctx: Context): Promise<Result | void> {
    const { name } = this.metadata;
    const { backup, replicas } = this.spec;
    if (!(await this.isLatest(ctx))) return;
    const current = await ctx.get(StatefulSet, name);
    const held = backupOf(current);
    await this.labelClaims(ctx);
    if (current && held !== backup) {
      // Templates of claims are immutable.
      if (current.metadata.deletionTimestamp === undefined)
        await ctx.delete(StatefulSet, current, { propagationPolicy: 'Orphan' });
      return { requeueAfter: '1s' };
    }
    const labels = { ledger: name };
    const container = { name: 'ledger', image: 'postgres', volumeMounts: [{ name: 'data', mountPath: '/data' }] };
    const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    await ctx.apply(StatefulSet, {
      metadata: { name },
      spec: {
        replicas,
        serviceName: name,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
        volumeClaimTemplates: [{ metadata: { name: 'data', labels: { ...labels, backup } }, spec: claim }],
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Delete' },
      },
    });
  }

  private async labelClaims(ctx: Context): Promise<void> {
    const { backup } = this.spec;
    for (const { metadata } of await ctx.list(PersistentVolumeClaim, { labels: { ledger: this.metadata.name } }))
      if (metadata.labels?.['backup'] !== backup)
        await ctx.patch(PersistentVolumeClaim, metadata.name, { metadata: { labels: { backup } } });
  }

  /** Whether the cache holds the latest spec: that of a new leader may be late. */
  private async isLatest({ client }: Context): Promise<boolean> {
    const { name, namespace, uid, generation } = this.metadata;
    const { metadata } = await client.get(Ledger, name, { namespace });
    return metadata.uid === uid && metadata.generation === generation;
  }
}

function backupOf(set: ReadonlyDeep<StatefulSet> | undefined): string | undefined {
  return set?.spec?.volumeClaimTemplates?.[0]?.metadata?.labels?.['backup'];
}
