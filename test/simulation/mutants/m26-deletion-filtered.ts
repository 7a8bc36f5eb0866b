// Bug: deletions of the child do not reconcile its owner.
// Source: infinispan/infinispan-operator 783, scylladb/scylla-operator 449
// Fault: delete-child
// Workload: create
// Oracle: end state
import { Context, CustomResource, Field, generationChanged, Kind, Owns, Sample, Service } from 'kindwright';

class RouteSpec {
  @Field({ format: 'int32', minimum: 1, maximum: 65535 }) port!: number;
}

/** A Service. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Service, { predicate: (event) => event.type === 'update' && generationChanged(event) })
@Sample({ name: 'shop', spec: { port: 80 } })
export class RouteTo extends CustomResource {
  @Field() spec!: RouteSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const ports = [{ port: this.spec.port }];
    await ctx.apply(Service, { metadata: { name }, spec: { selector: { app: name }, ports } });
  }
}
