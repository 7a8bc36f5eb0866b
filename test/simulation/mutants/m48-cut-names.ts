// Bug: long names are cut, so that two objects want one child.
// Source: names of 253 characters (B51 of kindwright's list)
// Fault: crowd
// Workload: create two with the same first 60 characters
// Oracle: stable
import { ConfigMap, Context, CustomResource, Field, Kind, Owns, Rbac, Sample } from 'kindwright';

class AliasSpec {
  @Field({ format: 'int32', minimum: 1, maximum: 65535 }) port!: number;
}

/** Settings in a ConfigMap with a name of at most 63 characters. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap, { anyOwner: true })
@Rbac(ConfigMap, 'create', 'patch')
@Sample({ name: 'short', spec: { port: 80 } })
export class Alias extends CustomResource {
  @Field() spec!: AliasSpec;

  async reconcile({ client }: Context): Promise<void> {
    const { name: owner, namespace = '', uid = '' } = this.metadata;
    const ownerReferences = [{ apiVersion: 'mutants.example.com/v1', kind: 'Alias', name: owner, uid }];
    const name = `${owner}-alias`.slice(0, 60);
    const data = { owner, port: String(this.spec.port) };
    await client.apply(ConfigMap, { metadata: { name, namespace, ownerReferences }, data }, { force: true });
  }
}
