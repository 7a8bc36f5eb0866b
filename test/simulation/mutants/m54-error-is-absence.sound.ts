// Repaired twin of m54-error-is-absence.ts: only NotFoundError is absence.
import {
  Context,
  CustomResource,
  Field,
  Immutable,
  Kind,
  NotFoundError,
  Owns,
  Pod,
  Rbac,
  Sample,
  Secret,
} from 'kindwright';

class SafeSpec {
  @Field({ enum: ['low', 'high'] }) @Immutable() level!: string;
}

/** A key, and a pod that starts with it. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Pod)
@Owns(Secret)
@Rbac(Secret, 'get')
@Sample({ name: 'bank', spec: { level: 'high' } })
export class Safe extends CustomResource {
  @Field() spec!: SafeSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const pod = await ctx.get(Pod, name);
    if (!(await this.readKey(ctx))) {
      if (pod && pod.metadata.deletionTimestamp === undefined) await ctx.delete(Pod, pod);
      await ctx.create(Secret, { metadata: { name }, stringData: { level: this.spec.level } });
    }
    const volumes = [{ name: 'key', secret: { secretName: name } }];
    await ctx.create(Pod, { metadata: { name }, spec: { containers: [{ name: 'safe', image: 'safe' }], volumes } });
  }

  /** Not from the cache: the key must be the latest one. */
  private async readKey({ client }: Context): Promise<Secret | undefined> {
    const { name, namespace } = this.metadata;
    try {
      return await client.get(Secret, name, { namespace });
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      return undefined;
    }
  }
}
