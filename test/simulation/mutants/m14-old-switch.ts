// Bug: Secret and Service are deleted when they are off in an old spec.
// Source: yugabyte/yugabyte-operator 35 and 36
// Fault: takeover
// Workload: create, spec.isOpen false to true
// Oracle: ledger
import { Context, CustomResource, Field, Kind, Owns, Sample, Secret, Service } from 'kindwright';

class DashboardSpec {
  @Field() isOpen!: boolean;
}

/** A page that can be reached while it is open. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Secret)
@Owns(Service)
@Sample({ name: 'sales', spec: { isOpen: true } })
export class Dashboard extends CustomResource {
  @Field() spec!: DashboardSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    if (this.spec.isOpen) {
      await ctx.apply(Secret, { metadata: { name }, stringData: { user: 'viewer' } });
      await ctx.apply(Service, { metadata: { name }, spec: { selector: { dashboard: name }, ports: [{ port: 80 }] } });
      return;
    }
    const secret = await ctx.get(Secret, name);
    if (secret) await ctx.delete(Secret, secret);
    const service = await ctx.get(Service, name);
    if (service) await ctx.delete(Service, service);
  }
}
