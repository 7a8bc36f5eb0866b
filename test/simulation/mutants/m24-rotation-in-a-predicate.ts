// Bug: a predicate notes changes of the token, and misses those between two processes.
// Source: percona-server-mongodb-operator K8SPSMDB-585, percona-xtradb-cluster-operator K8SPXC-918
// Fault: down
// Workload: create, spec.token a to b
// Oracle: ledger
import {
  Context,
  Controller,
  CustomResource,
  Field,
  Kind,
  type ObjectEvent,
  ownChange,
  Owns,
  Pod,
  Sample,
  Secret,
} from 'kindwright';

class ProxySpec {
  @Field({ enum: ['alpha', 'beta', 'gamma'] }) token!: string;
}

const rotated = new Set<string>();

function noteRotation(event: ObjectEvent): boolean {
  const { object } = event as ObjectEvent<Proxy>;
  if (event.type === 'update' && (event.old as Proxy).spec.token !== object.spec.token)
    rotated.add(object.metadata.uid ?? '');
  return ownChange(event);
}

/** A pod that has to start again when its token changes. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Controller({ predicate: noteRotation })
@Owns(Secret)
@Owns(Pod)
@Sample({ name: 'edge', spec: { token: 'alpha' } })
export class Proxy extends CustomResource {
  @Field() spec!: ProxySpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name, uid = '' } = this.metadata;
    const { token } = this.spec;
    if (!(await this.isLatest(ctx))) return;
    await ctx.apply(Secret, { metadata: { name }, stringData: { token } });
    const pod = await ctx.get(Pod, name);
    if (pod?.metadata.deletionTimestamp !== undefined) return;
    if (rotated.delete(uid) && pod) {
      await ctx.delete(Pod, pod);
      return;
    }
    const volumes = [{ name: 'token', secret: { secretName: name } }];
    const containers = [{ name: 'proxy', image: 'envoy', volumeMounts: [{ name: 'token', mountPath: '/token' }] }];
    await ctx.create(Pod, { metadata: { name }, spec: { containers, volumes } });
  }

  /** Whether the cache holds the latest spec: that of a new leader may be late. */
  private async isLatest({ client }: Context): Promise<boolean> {
    const { name, namespace, uid, generation } = this.metadata;
    const { metadata } = await client.get(Proxy, name, { namespace });
    return metadata.uid === uid && metadata.generation === generation;
  }
}
