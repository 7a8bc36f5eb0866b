// Repaired twin of m57-created-twice.ts: the name follows from that of the owner, so that the second create is refused.
import {
  AlreadyExistsError,
  ConfigMap,
  ConnectionError,
  Context,
  CustomResource,
  Field,
  Immutable,
  Kind,
  Owns,
  Rbac,
  Sample,
} from 'kindwright';

class RunSpec {
  @Field({ enum: ['small', 'large'] }) @Immutable() size!: string;
}

/** The record of a run, made once. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Rbac(ConfigMap, 'create')
@Sample({ name: 'nightly', spec: { size: 'small' } })
export class TestRun extends CustomResource {
  @Field() spec!: RunSpec;

  async reconcile(ctx: Context): Promise<void> {
    if ((await ctx.list(ConfigMap, { ownedBy: this })).length > 0) return;
    try {
      await this.record(ctx);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      await this.record(ctx).catch((again: unknown) => {
        if (!(again instanceof AlreadyExistsError)) throw again;
      });
    }
  }

  private async record({ client }: Context): Promise<void> {
    const { name: owner, namespace = '', uid = '' } = this.metadata;
    const reference = { apiVersion: 'mutants.example.com/v1', kind: 'TestRun', name: owner, uid, controller: true };
    const name = `${owner}-record`;
    const metadata = { name, namespace, ownerReferences: [reference] };
    await client.create(ConfigMap, { metadata, data: { size: this.spec.size } });
  }
}
