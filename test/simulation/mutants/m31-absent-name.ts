// Bug: an optional object of the spec is read as if it were always there.
// Source: percona-server-mongodb-operator K8SPSMDB-434, OT-CONTAINER-KIT/redis-operator 283
// Fault: spec
// Workload: create, spec.tls absent
// Oracle: alive
import { Context, CustomResource, Field, Kind, Owns, Sample, Service } from 'kindwright';

class KeyPair {
  @Field({ minLength: 1, maxLength: 40, pattern: /^[a-z]+$/ }) secretName!: string;
}

class EndpointSpec {
  @Field({ optional: true }) tls!: KeyPair;
}

/** A Service, with the name of its key in an annotation. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Service)
@Sample({ name: 'api', spec: { tls: { secretName: 'key' } } })
export class SecureEndpoint extends CustomResource {
  @Field() spec!: EndpointSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const annotations = { key: this.spec.tls.secretName };
    const spec = { selector: { app: name }, ports: [{ port: 443 }] };
    await ctx.apply(Service, { metadata: { name, annotations }, spec });
  }
}
