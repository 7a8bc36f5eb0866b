// Bug: the name of the object becomes a label, whatever its length; the refusal is only logged.
// Source: names of 253 characters (B51 of kindwright's list)
// Fault: crowd
// Workload: create with a name of 250 characters
// Oracle: reported failures
import { ConfigMap, Context, CustomResource, Field, Kind, Owns, type Result, Sample } from 'kindwright';

class MailboxSpec {
  @Field({ format: 'int32', minimum: 1, maximum: 100 }) quota!: number;
}

/** Settings with a label that selects them. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Sample({ name: 'info', spec: { quota: 5 } })
export class Mailbox extends CustomResource {
  @Field() spec!: MailboxSpec;

  async reconcile(ctx: Context): Promise<Result | void> {
    const { name } = this.metadata;
    const data = { quota: String(this.spec.quota) };
    try {
      await ctx.apply(ConfigMap, { metadata: { name, labels: { mailbox: name } }, data });
    } catch (error) {
      ctx.log.error('Cannot apply the ConfigMap', { error });
      return { requeueAfter: '10s' };
    }
  }
}
