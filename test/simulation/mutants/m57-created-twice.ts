// Bug: a create without an answer is sent again, with a new name.
// Source: unknown outcomes (fault F37 of kindwright's list)
// Fault: lost-answer
// Workload: create
// Oracle: ledger
import { randomBytes } from 'node:crypto';
import {
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
      await this.record(ctx);
    }
  }

  private async record({ client }: Context): Promise<void> {
    const { name: owner, namespace = '', uid = '' } = this.metadata;
    const reference = { apiVersion: 'mutants.example.com/v1', kind: 'TestRun', name: owner, uid, controller: true };
    const name = `${owner}-${randomBytes(4).toString('hex')}`;
    const metadata = { name, namespace, ownerReferences: [reference] };
    await client.create(ConfigMap, { metadata, data: { size: this.spec.size } });
  }
}
