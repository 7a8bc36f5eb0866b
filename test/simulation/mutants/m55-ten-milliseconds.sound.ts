// Repaired twin of m55-ten-milliseconds.ts: the error is thrown.
import { Context, CustomResource, Field, Kind, Owns, Sample, Service } from 'kindwright';

class BellSpec {
  @Field({ format: 'int32', minimum: 1, maximum: 65535 }) port!: number;
}

/** A Service. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Service)
@Sample({ name: 'door', spec: { port: 80 } })
export class Bell extends CustomResource {
  @Field() spec!: BellSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const spec = { selector: { bell: name }, ports: [{ port: this.spec.port }] };
    await ctx.apply(Service, { metadata: { name }, spec });
  }
}
