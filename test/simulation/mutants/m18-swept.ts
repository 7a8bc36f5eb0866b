// Bug: a Secret is deleted when the cache does not hold its owner yet.
// Source: elastic/cloud-on-k8s 5249
// Fault: takeover
// Workload: create, create
// Oracle: ledger
import { Context, CustomResource, Field, Kind, Owns, Sample, Secret } from 'kindwright';

class VaultSpec {
  @Field({ enum: ['reader', 'writer'] }) role!: string;
}

/** Credentials; those without an owner, which earlier releases have left, are deleted. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Secret)
@Sample({ name: 'web', spec: { role: 'reader' } })
export class Vault extends CustomResource {
  @Field() spec!: VaultSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const metadata = { name: `${name}-login`, labels: { vault: name } };
    await ctx.apply(Secret, { metadata, stringData: { role: this.spec.role } });
    for (const secret of await ctx.list(Secret, { labelSelector: 'vault' })) {
      const owner = secret.metadata.labels?.['vault'] ?? '';
      if (!(await ctx.get(Vault, owner))) await ctx.delete(Secret, secret);
    }
  }
}
