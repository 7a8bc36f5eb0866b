// Bug: the first of two Secrets stands for both.
// Source: percona-server-mongodb-operator K8SPSMDB-578 and 579, percona-xtradb-cluster-operator K8SPXC-896 (PR 797, 1043)
// Fault: crash
// Workload: create
// Oracle: end state
import { randomBytes } from 'node:crypto';
import { Context, CustomResource, Field, Immutable, Kind, Owns, Sample, Secret } from 'kindwright';

class GatewaySpec {
  @Field({ minLength: 1, maxLength: 60 }) @Immutable() host!: string;
}

/** A gateway with a key for its clients and one for its members. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Secret)
@Sample({ name: 'public', spec: { host: 'example.com' } })
export class Gateway extends CustomResource {
  @Field() spec!: GatewaySpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    if (await ctx.get(Secret, `${name}-tls`)) return;
    await this.createKey(ctx, `${name}-tls`);
    await this.createKey(ctx, `${name}-tls-internal`);
  }

  private async createKey(ctx: Context, name: string): Promise<void> {
    const stringData = { host: this.spec.host, key: randomBytes(18).toString('base64url') };
    await ctx.create(Secret, { metadata: { name }, stringData });
  }
}
