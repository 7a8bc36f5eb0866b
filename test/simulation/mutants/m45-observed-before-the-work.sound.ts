// Repaired twin of m45-observed-before-the-work.ts: it is set after the work.
import { Condition, Context, CustomResource, Field, Kind, Owns, Sample, Service, setReady } from 'kindwright';

class TunnelSpec {
  @Field({ format: 'int32', minimum: 1, maximum: 65535 }) port!: number;
}

class TunnelStatus {
  @Field({ format: 'int64' }) observedGeneration?: number;
  @Field() conditions?: Condition[];
}

/** A Service. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Service)
@Sample({ name: 'vpn', spec: { port: 1194 } })
export class Tunnel extends CustomResource {
  @Field() spec!: TunnelSpec;
  @Field() status!: TunnelStatus;

  async reconcile(ctx: Context): Promise<void> {
    const { name, generation = 0 } = this.metadata;
    const ports = [{ port: this.spec.port }];
    await ctx.apply(Service, { metadata: { name }, spec: { selector: { tunnel: name }, ports } });
    setReady(this.status, true, 'Applied', 'the Service is up to date');
    this.status.observedGeneration = generation;
  }
}
