// Repaired twin of m18-swept.ts: the owner is read from the server before its Secret is deleted.
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
      if (!(await ctx.get(Vault, owner)) && !(await exists(ctx, owner, secret.metadata.namespace)))
        await ctx.delete(Secret, secret);
    }
  }
}

async function exists({ client }: Context, name: string, namespace: string | undefined): Promise<boolean> {
  const { items } = await client.list(Vault, { namespace, fieldSelector: `metadata.name=${name}` });
  return items.length > 0;
}
