// Bug: an error that a retry would solve is reported as terminal.
// Source: classes of errors (fault F38 of kindwright's list)
// Fault: refuse
// Workload: create
// Oracle: end state
import { ApiError, ConfigMap, Context, CustomResource, Field, Kind, Owns, Sample, TerminalError } from 'kindwright';

class LampSpec {
  @Field({ enum: ['on', 'off'] }) state!: string;
}

/** A ConfigMap. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Sample({ name: 'desk', spec: { state: 'on' } })
export class Lamp extends CustomResource {
  @Field() spec!: LampSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    try {
      await ctx.apply(ConfigMap, { metadata: { name }, data: { state: this.spec.state } });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw new TerminalError(`the ConfigMap was refused: ${error.message}`);
    }
  }
}
