// Repaired twin of m53-swallowed.ts: the error is thrown.
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
    await ctx.apply(ConfigMap, { metadata: { name: `${name}-backup` }, data });
    setReady(this.status, true, 'Applied', 'both ConfigMaps are up to date');
  }
}
