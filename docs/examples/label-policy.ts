import {
  Context,
  Controller,
  CustomResource,
  Deployment,
  Field,
  Immutable,
  Inject,
  Kind,
  kindByName,
  Manager,
  ObjectController,
  Rbac,
} from 'kindwright';

class LabelPolicySpec {
  @Field() group!: string;
  @Field() version!: string;
  @Field() kind!: string;
  @Field() label!: string;
  @Field() value!: string;
}

/** The running controllers, by the name of their policy. */
const labellers = new Map<string, ReturnType<typeof labellerOf>>();

/** Sets a label on all objects of a kind. The kind is watched while a policy names it. */
@Kind({ group: 'example.com', version: 'v1', scope: 'Cluster' })
@Rbac(Deployment, 'list', 'watch', 'patch')
export class LabelPolicy extends CustomResource {
  @Field() @Immutable() spec!: LabelPolicySpec;
  @Inject(Manager) private readonly manager!: Manager;

  reconcile(): void {
    const { name } = this.metadata;
    if (labellers.has(name)) return;
    const labeller = labellerOf(name, this.spec);
    this.manager.add(labeller);
    labellers.set(name, labeller);
  }

  override async deleted(): Promise<void> {
    const { name } = this.metadata;
    const labeller = labellers.get(name);
    if (!labeller) return;
    await this.manager.remove(labeller);
    labellers.delete(name);
  }
}

function labellerOf(policy: string, { group, version, kind, label, value }: LabelPolicySpec): new () => object {
  const Target = kindByName({ group, version, kind });

  @Controller({ for: Target, name: `label-${policy}` })
  class Labeller extends ObjectController {
    async reconcile(ctx: Context): Promise<void> {
      const { name, labels } = this.object.metadata;
      if (labels?.[label] !== value) await ctx.patch(Target, name, { metadata: { labels: { [label]: value } } });
    }
  }
  return Labeller;
}
