// Bug: the finalizer deletes the StatefulSet by its name, also that of a successor.
// Source: rabbitmq/cluster-operator 648
// Fault: takeover
// Workload: create, delete, create
// Oracle: own only
import {
  Context,
  CustomResource,
  Field,
  Finalizer,
  Kind,
  NotFoundError,
  Owns,
  Rbac,
  Sample,
  StatefulSet,
} from 'kindwright';

class BrokerSpec {
  @Field({ format: 'int32', minimum: 0, maximum: 3 }) replicas!: number;
}

/** A message broker; its nodes are stopped before anything else is deleted. */
@Kind({ group: 'mutants.example.com', version: 'v1' })
@Owns(StatefulSet)
@Rbac(StatefulSet, 'delete')
@Sample({ name: 'events', spec: { replicas: 1 } })
export class Broker extends CustomResource {
  @Field() spec!: BrokerSpec;

  async reconcile(ctx: Context): Promise<void> {
    const { name } = this.metadata;
    const labels = { broker: name };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'broker', image: 'rabbitmq' }] } };
    const selector = { matchLabels: labels };
    const { replicas } = this.spec;
    await ctx.apply(StatefulSet, { metadata: { name }, spec: { replicas, serviceName: name, selector, template } });
  }

  @Finalizer('mutants.example.com/broker')
  async stop({ client }: Context): Promise<void> {
    const { name, namespace } = this.metadata;
    try {
      await client.delete(StatefulSet, name, { namespace, propagationPolicy: 'Foreground' });
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
}
