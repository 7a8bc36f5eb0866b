// Repaired twin of m41-long-name.ts: the definition limits the length of the name.
import { ConfigMap, Context, CustomResource, Field, Kind, type ObjectMeta, Owns, Sample } from 'kindwright';

class ShortMetadata {
  @Field({ maxLength: 63 }) name!: string;
}

class MailboxSpec {
  @Field({ format: 'int32', minimum: 1, maximum: 100 }) quota!: number;
}

/** Settings with a label that selects them. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Sample({ name: 'info', spec: { quota: 5 } })
export class Mailbox extends CustomResource {
  @Field({ type: () => ShortMetadata }) override metadata!: ObjectMeta;
  @Field() spec!: MailboxSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const data = { quota: String(this.spec.quota) };
    await ctx.apply(ConfigMap, { metadata: { name, labels: { mailbox: name } }, data });
  }
}
