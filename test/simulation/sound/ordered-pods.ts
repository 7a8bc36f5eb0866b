// Has 12 ordered pods, so that their creation takes long and names do not sort as numbers.
import { Context, CustomResource, Field, Kind, Owns, Sample, StatefulSet } from 'kindwright';

class ChoirSpec {
  @Field({ format: 'int32', minimum: 0, maximum: 12 }) voices!: number;
}

/** A StatefulSet; its pods start one after the other. */
@Kind({ group: 'sound.example.com', version: 'v1' })
@Owns(StatefulSet)
@Sample({ name: 'bach', spec: { voices: 12 } })
export class Choir extends CustomResource {
  @Field() spec!: ChoirSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const labels = { choir: name };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'voice', image: 'voice' }] } };
    const spec = { replicas: this.spec.voices, serviceName: name, selector: { matchLabels: labels }, template };
    await ctx.apply(StatefulSet, { metadata: { name }, spec });
  }
}
