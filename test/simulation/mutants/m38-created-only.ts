// Bug: the child is created if it is absent, and later changes of the spec have no effect.
// Source: pravega/zookeeper-operator 517, undesired states of Acto
// Fault: spec
// Workload: create, spec.port changed
// Oracle: path
import { Context, CustomResource, Field, Kind, Owns, Sample, Service } from 'kindwright';

class ListenerSpec {
  @Field({ format: 'int32', minimum: 1, maximum: 65535 }) port!: number;
}

/** A Service. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Service)
@Sample({ name: 'web', spec: { port: 80 } })
export class PortListener extends CustomResource {
  @Field() spec!: ListenerSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const ports = [{ port: this.spec.port }];
    if (await ctx.get(Service, name)) return;
    await ctx.create(Service, { metadata: { name }, spec: { selector: { app: name }, ports } });
  }
}
