import { Context, CustomResource, Field, Kind, kindByName, type KubeObject, Rbac } from 'kindwright';

class ObjectHealthSpec {
  @Field() group!: string;
  @Field() version!: string;
  @Field() kind!: string;
  @Field() name!: string;
}

class ObjectHealthStatus {
  @Field() state?: string;
}

interface WithConditions extends KubeObject {
  status?: { conditions?: { type: string; status: string }[] };
}

/** Reports whether an object of any kind is ready. A kind is watched while an ObjectHealth names it. */
@Kind({ group: 'example.com', version: 'v1' })
@Rbac({ groups: ['apps'], resources: ['deployments'] }, 'list', 'watch')
@Rbac({ groups: ['cert-manager.io'], resources: ['certificates'] }, 'list', 'watch')
export class ObjectHealth extends CustomResource {
  @Field() spec!: ObjectHealthSpec;
  @Field() status!: ObjectHealthStatus;

  async reconcile(ctx: Context): Promise<void> {
    const { name, ...names } = this.spec;
    const Target = kindByName<WithConditions>(names);
    const isServed = await ctx.watch(Target, { name });
    const object = isServed ? await ctx.get(Target, name) : undefined;
    const conditions = object?.status?.conditions ?? [];
    const isReady = conditions.some(({ type, status }) => /^(Ready|Available)$/.test(type) && status === 'True');
    if (object) this.status.state = isReady ? 'Ready' : 'NotReady';
    else this.status.state = isServed ? 'Missing' : 'NotInstalled';
  }
}
