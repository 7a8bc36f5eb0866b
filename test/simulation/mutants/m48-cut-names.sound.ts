// Repaired twin of m48-cut-names.ts: a cut name ends with a hash of the whole one.
import { createHash } from 'node:crypto';
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
    const hash = createHash('sha256').update(owner).digest('hex').slice(0, 8);
    const name = `${owner.slice(0, 48)}-${hash}`;
    const data = { owner, port: String(this.spec.port) };
    await client.apply(ConfigMap, { metadata: { name, namespace, ownerReferences }, data }, { force: true });
  }
}
