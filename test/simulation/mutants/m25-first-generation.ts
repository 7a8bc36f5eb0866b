// Bug: defaults are only written for the first generation, which may never be seen.
// Source: pravega/zookeeper-operator 453
// Fault: down
// Workload: create, spec.level info to debug
// Oracle: end state
import { ConfigMap, Context, CustomResource, Field, Kind, Owns, Sample } from 'kindwright';

class LoggingSpec {
  @Field({ enum: ['info', 'debug', 'trace'] }) level!: string;
}

/** Settings of users, which start with defaults, and a level. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Sample({ name: 'app', spec: { level: 'info' } })
export class Logging extends CustomResource {
  @Field() spec!: LoggingSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name, generation } = this.metadata;
    const defaults = { metadata: { name: `${name}-defaults` }, data: { format: 'json', rotate: 'daily' } };
    if (generation === 1) await ctx.create(ConfigMap, defaults);
    await ctx.apply(ConfigMap, { metadata: { name }, data: { level: this.spec.level } });
  }
}
