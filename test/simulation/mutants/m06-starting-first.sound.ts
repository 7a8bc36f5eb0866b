// Repaired twin of m06-starting-first.ts: the label and the start are one write.
import { Context, CustomResource, Field, Immutable, Kind, Owns, Pod, Rbac, Sample } from 'kindwright';

class RackSpec {
  @Field({ format: 'int32', minimum: 1, maximum: 3 }) @Immutable() size!: number;
}

/** Nodes of a database, of which one starts after the other. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Pod)
@Rbac(Pod, 'patch')
@Sample({ name: 'a', spec: { size: 2 } })
export class Rack extends CustomResource {
  @Field() spec!: RackSpec;

  async reconcile(ctx: Context): Promise<void> {
    for (let ordinal = 0; ordinal < this.spec.size; ordinal++) {
      const pod = await this.createPod(ctx, `${this.metadata.name}-${ordinal}`);
      if (pod.metadata.labels?.['state'] !== 'Starting') {
        await this.start(ctx, pod.metadata.name);
        return;
      }
      if (!pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')) return;
    }
  }

  private async createPod(ctx: Context, name: string): Promise<Pod> {
    const spec = {
      schedulingGates: [{ name: 'mutants.example.com/start' }],
      containers: [{ name: 'node', image: 'cassandra' }],
    };
    return ctx.create(Pod, { metadata: { name }, spec });
  }

  private async start(ctx: Context, name: string): Promise<void> {
    await ctx.patch(Pod, name, { metadata: { labels: { state: 'Starting' } }, spec: { schedulingGates: null } });
  }
}
