// Repaired twin of m50-all-finalizers.ts: only the own one is removed.
import { ConfigMap, Context, CustomResource, Field, Finalizer, Kind, Owns, Sample } from 'kindwright';

class TicketSpec {
  @Field({ maxLength: 50 }) title!: string;
}

/** An entry in a list, which has to be closed before it is deleted. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Sample({ name: 'door', spec: { title: 'The door is open' } })
export class Ticket extends CustomResource {
  @Field() spec!: TicketSpec;

  async reconcile(ctx: Context): Promise<void> {
    await ctx.apply(ConfigMap, { metadata: { name: this.metadata.name }, data: { title: this.spec.title } });
  }

  @Finalizer('mutants.example.com/ticket')
  async close(ctx: Context): Promise<void> {
    const entry = await ctx.get(ConfigMap, this.metadata.name);
    if (entry) await ctx.delete(ConfigMap, entry);
  }
}
