// Bug: after an error the reconcile is repeated each 10 ms, without a back-off.
// Source: hot loops (fault F70 of kindwright's list)
// Fault: refuse
// Workload: create
// Oracle: budget
import { Context, CustomResource, Field, Kind, Owns, type Result, Sample, Service } from 'kindwright';

class BellSpec {
  @Field({ format: 'int32', minimum: 1, maximum: 65535 }) port!: number;
}

/** A Service. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Service)
@Sample({ name: 'door', spec: { port: 80 } })
export class Bell extends CustomResource {
  @Field() spec!: BellSpec;

  async reconcile(ctx: Context): Promise<Result | void> {
    const { name } = this.metadata;
    const spec = { selector: { bell: name }, ports: [{ port: this.spec.port }] };
    try {
      await ctx.apply(Service, { metadata: { name }, spec });
    } catch (error) {
      ctx.log.warn('Retrying', { error });
      return { requeueAfter: '10ms' };
    }
  }
}
