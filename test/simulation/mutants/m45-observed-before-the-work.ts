// Bug: observedGeneration is set before the work, and written although the work fails.
// Source: API conventions of Kubernetes
// Fault: refuse
// Workload: create, spec.port changed
// Oracle: status
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
    this.status.observedGeneration = generation;
    const ports = [{ port: this.spec.port }];
    await ctx.apply(Service, { metadata: { name }, spec: { selector: { tunnel: name }, ports } });
    setReady(this.status, true, 'Applied', 'the Service is up to date');
  }
}
