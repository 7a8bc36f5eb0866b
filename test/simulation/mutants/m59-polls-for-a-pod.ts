// Bug: the reconcile waits for a pod in a loop that nothing ends.
// Source: pravega/zookeeper-operator 513
// Fault: pods
// Workload: create
// Oracle: alive
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Client,
  Context,
  CustomResource,
  Field,
  Immutable,
  Kind,
  loadClusterConfig,
  Owns,
  Pod,
  Rbac,
  Sample,
} from 'kindwright';

class LauncherSpec {
  @Field({ enum: ['rocket:1', 'rocket:2'] }) @Immutable() image!: string;
}

class LauncherStatus {
  @Field({ enum: ['Waiting', 'Running'] }) phase?: string;
}

/** A pod, and whether it runs. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Pod)
@Rbac(Pod, 'get')
@Sample({ name: 'apollo', spec: { image: 'rocket:1' } })
export class Launcher extends CustomResource {
  @Field() spec!: LauncherSpec;
  @Field() status!: LauncherStatus;

  async reconcile(ctx: Context): Promise<void> {
    const { name, namespace } = this.metadata;
    const { image } = this.spec;
    await ctx.create(Pod, { metadata: { name }, spec: { containers: [{ name: 'rocket', image }] } });
    const client = new Client(await loadClusterConfig());
    while ((await client.get(Pod, name, { namespace })).status?.phase !== 'Running') await sleep(1000);
    client.close();
    this.status.phase = 'Running';
  }
}
