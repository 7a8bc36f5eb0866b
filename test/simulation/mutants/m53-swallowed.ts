// Bug: the error of a write is ignored, and the object becomes Ready.
// Source: Sieve (41 of 46 bugs show no error)
// Fault: refuse
// Workload: create
// Oracle: end state
import { Condition, ConfigMap, Context, CustomResource, Field, Kind, Owns, Sample, setReady } from 'kindwright';

class SignSpec {
  @Field({ maxLength: 50 }) text!: string;
}

class SignStatus {
  @Field() conditions?: Condition[];
}

/** Two configurations, of which the second one is less important. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Sample({ name: 'exit', spec: { text: 'Exit' } })
export class Sign extends CustomResource {
  @Field() spec!: SignSpec;
  @Field() status!: SignStatus;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const data = { text: this.spec.text };
    await ctx.apply(ConfigMap, { metadata: { name }, data });
    try {
      await ctx.apply(ConfigMap, { metadata: { name: `${name}-backup` }, data });
    } catch {
      ctx.log.debug('The backup was not written');
    }
    setReady(this.status, true, 'Applied', 'both ConfigMaps are up to date');
  }
}
