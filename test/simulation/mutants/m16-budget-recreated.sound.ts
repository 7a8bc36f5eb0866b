// Repaired twin of m16-budget-recreated.ts: it is changed in place.
import { Context, CustomResource, Field, Kind, Owns, PodDisruptionBudget, Sample } from 'kindwright';

class QuorumSpec {
  @Field({ format: 'int32', minimum: 0, maximum: 10 }) minAvailable!: number;
}

/** The number of pods of an application that must stay. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(PodDisruptionBudget)
@Sample({ name: 'api', spec: { minAvailable: 1 } })
export class Quorum extends CustomResource {
  @Field() spec!: QuorumSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const { minAvailable } = this.spec;
    const spec = { minAvailable, selector: { matchLabels: { app: name } } };
    await ctx.apply(PodDisruptionBudget, { metadata: { name }, spec });
  }
}
