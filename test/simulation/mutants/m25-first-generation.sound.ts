// Repaired twin of m25-first-generation.ts: defaults are written when they are missing.
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
    const { name } = this.metadata;
    const defaults = { metadata: { name: `${name}-defaults` }, data: { format: 'json', rotate: 'daily' } };
    await ctx.create(ConfigMap, defaults);
    await ctx.apply(ConfigMap, { metadata: { name }, data: { level: this.spec.level } });
  }
}
