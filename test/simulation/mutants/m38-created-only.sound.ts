// Repaired twin of m38-created-only.ts: the child is applied.
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
    await ctx.apply(Service, { metadata: { name }, spec: { selector: { app: name }, ports } });
  }
}
