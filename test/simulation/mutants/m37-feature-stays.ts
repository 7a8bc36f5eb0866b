// Bug: the objects of a feature stay when it is switched off.
// Source: mongodb/mongodb-kubernetes-operator 773, mariadb-operator/mariadb-operator 1284
// Fault: spec
// Workload: create, spec.hasMetrics true to false
// Oracle: path
import { Context, CustomResource, Field, Kind, Owns, Sample, Service } from 'kindwright';

class DatabaseSpec {
  @Field() hasMetrics!: boolean;
}

/** A Service, and another one for metrics. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Service)
@Sample({ name: 'main', spec: { hasMetrics: true } })
export class SmallDatabase extends CustomResource {
  @Field() spec!: DatabaseSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const selector = { app: name };
    await ctx.apply(Service, { metadata: { name }, spec: { selector, ports: [{ port: 5432 }] } });
    const metrics = { name: `${name}-metrics` };
    if (this.spec.hasMetrics)
      await ctx.apply(Service, { metadata: metrics, spec: { selector, ports: [{ port: 9187 }] } });
  }
}
