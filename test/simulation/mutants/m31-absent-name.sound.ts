// Repaired twin of m31-absent-name.ts: the object is read with a default.
import { Context, CustomResource, Field, Kind, Owns, Sample, Service } from 'kindwright';

class KeyPair {
  @Field({ minLength: 1, maxLength: 40, pattern: /^[a-z]+$/ }) secretName!: string;
}

class EndpointSpec {
  @Field() tls?: KeyPair;
}

/** A Service, with the name of its key in an annotation. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Service)
@Sample({ name: 'api', spec: { tls: { secretName: 'key' } } })
export class SecureEndpoint extends CustomResource {
  @Field() spec!: EndpointSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const annotations = { key: this.spec.tls?.secretName ?? 'none' };
    const spec = { selector: { app: name }, ports: [{ port: 443 }] };
    await ctx.apply(Service, { metadata: { name, annotations }, spec });
  }
}
