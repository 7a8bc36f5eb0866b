// Bug: all finalizers are removed, also those of others.
// Source: finalizers of others (fault F77 of kindwright's list)
// Fault: held
// Workload: create, delete
// Oracle: others' fields
import { ConfigMap, Context, CustomResource, Field, Finalizer, Kind, Owns, Rbac, Sample } from 'kindwright';

class TicketSpec {
  @Field({ maxLength: 50 }) title!: string;
}

/** An entry in a list, which has to be closed before it is deleted. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Rbac({ groups: ['mutants.example.com'], resources: ['tickets'] }, 'patch')
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
    await ctx.patch(Ticket, this.metadata.name, { metadata: { finalizers: [] } });
  }
}
