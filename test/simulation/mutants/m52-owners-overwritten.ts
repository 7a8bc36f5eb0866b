// Bug: the list of owner references is overwritten.
// Source: failures of Mutiny (dependency fields)
// Fault: edit
// Workload: create
// Oracle: others' fields
import { ConfigMap, Context, CustomResource, Field, Kind, Owns, Rbac, Sample } from 'kindwright';

class FolderSpec {
  @Field({ maxLength: 50 }) path!: string;
}

/** A ConfigMap that other objects may also own. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(ConfigMap)
@Rbac(ConfigMap, 'patch')
@Sample({ name: 'home', spec: { path: '/home' } })
export class Folder extends CustomResource {
  @Field() spec!: FolderSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name, uid = '' } = this.metadata;
    const data = { path: this.spec.path };
    const { metadata } = await ctx.create(ConfigMap, { metadata: { name }, data });
    const isOwner = metadata.ownerReferences?.length === 1 && metadata.ownerReferences[0]?.uid === uid;
    const owner = { apiVersion: 'mutants.example.com/v1', kind: 'Folder', name, uid, controller: true };
    if (!isOwner) await ctx.patch(ConfigMap, name, { metadata: { ownerReferences: [owner] } });
    await ctx.patch(ConfigMap, name, { data });
  }
}
