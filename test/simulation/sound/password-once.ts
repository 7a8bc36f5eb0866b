// Has a random value, which is made once and differs from run to run.
import { randomBytes } from 'node:crypto';
import { Context, CustomResource, Field, Immutable, Kind, Owns, Sample, Secret } from 'kindwright';

class LoginSpec {
  @Field({ minLength: 1, maxLength: 20 }) @Immutable() user!: string;
}

/** A user with a generated password. */
@Kind({ group: 'sound.example.com', version: 'v1' })
@Owns(Secret)
@Sample({ name: 'admin', spec: { user: 'ada' } })
export class Login extends CustomResource {
  @Field() spec!: LoginSpec;

  async reconcile(ctx: Context): Promise<void> {
    const password = randomBytes(18).toString('base64url');
    const stringData = { user: this.spec.user, password };
    await ctx.create(Secret, { metadata: { name: this.metadata.name }, stringData });
  }
}
