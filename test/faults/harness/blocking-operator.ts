import { existsSync, writeFileSync } from 'node:fs';
import { ConfigMap, Controller, CustomResource, Field, Kind, Owns, type Context } from 'kindwright';

class BrakeSpec {
  @Field() marker!: string;
  @Field({ format: 'int32' }) blockMs!: number;
}

/** The first process that reconciles an object blocks its event loop, and then creates a child of the object. */
@Kind({ group: 'faults.kindwright.dev', version: 'v1' })
@Controller({ maxConcurrentReconciles: 1 })
@Owns(ConfigMap)
export class Brake extends CustomResource {
  @Field() spec!: BrakeSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { marker, blockMs } = this.spec;
    const isFirst = !existsSync(marker);
    if (isFirst) {
      writeFileSync(marker, '');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blockMs);
    }
    const data = { writer: isFirst ? 'blocked' : 'other' };
    await ctx.apply(ConfigMap, { metadata: { name: this.metadata.name }, data });
  }
}
