// Repaired twin of m01-two-secrets.ts: each Secret is created by itself.
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
    await this.createKey(ctx, `${name}-tls`);
    await this.createKey(ctx, `${name}-tls-internal`);
  }

  private async createKey(ctx: Context, name: string): Promise<void> {
    const stringData = { host: this.spec.host, key: randomBytes(18).toString('base64url') };
    await ctx.create(Secret, { metadata: { name }, stringData });
  }
}
