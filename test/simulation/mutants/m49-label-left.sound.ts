// Repaired twin of m49-label-left.ts: a finalizer removes it.
import {
  allObjects,
  Context,
  CustomResource,
  Field,
  Finalizer,
  Kind,
  Rbac,
  Sample,
  ServiceAccount,
  Watches,
} from 'kindwright';

class PullerSpec {
  @Field({ enum: ['Always', 'Never'] }) pull!: string;
}

/** Labels the ServiceAccount `default` of its namespace, if there is one. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Watches(ServiceAccount, allObjects())
@Rbac(ServiceAccount, 'patch')
@Sample({ name: 'registry', spec: { pull: 'Always' } })
export class Puller extends CustomResource {
  @Field() spec!: PullerSpec;

  async reconcile(ctx: Context): Promise<void> {
    await this.label(ctx, this.spec.pull);
  }

  @Finalizer('mutants.example.com/puller')
  async remove(ctx: Context): Promise<void> {
    await this.label(ctx, undefined);
  }

  private async label(ctx: Context, value: string | undefined): Promise<void> {
    const account = await ctx.get(ServiceAccount, 'default');
    const key = `mutants.example.com/${this.metadata.name}`;
    if (!account || account.metadata.labels?.[key] === value) return;
    await ctx.patch(ServiceAccount, 'default', { metadata: { labels: { [key]: value ?? null } } });
  }
}
