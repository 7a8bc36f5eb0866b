// Repaired twin of m39-waits-for-the-bad-one.ts: the latest spec is always applied.
import {
  Condition,
  Context,
  CustomResource,
  Deployment,
  Field,
  Kind,
  Owns,
  type ReadonlyDeep,
  Sample,
  setReady,
} from 'kindwright';

class ServerSpec {
  @Field({ minLength: 1, maxLength: 100 }) image!: string;
}

class ServerStatus {
  @Field() conditions?: Condition[];
}

/** A web server. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(Deployment)
@Sample({ name: 'blog', spec: { image: 'nginx:1.29' } })
export class WebServer extends CustomResource {
  @Field() spec!: ServerSpec;
  @Field() status!: ServerStatus;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const labels = { server: name };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'server', image: this.spec.image }] } };
    const spec = { selector: { matchLabels: labels }, template };
    const deployment = await ctx.apply(Deployment, { metadata: { name }, spec });
    const isReady = isRolledOut(deployment);
    setReady(this.status, isReady, isReady ? 'RolledOut' : 'RollingOut', `image ${this.spec.image}`);
  }
}

function isRolledOut({ metadata, status = {} }: ReadonlyDeep<Deployment>): boolean {
  const isObserved = status.observedGeneration === metadata.generation;
  return isObserved && status.replicas === 1 && status.updatedReplicas === 1 && status.readyReplicas === 1;
}
