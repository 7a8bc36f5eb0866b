// An operator of PodSet with webhooks and a conversion; WEBHOOKS=no starts the same operator without them.
// Prints a line when its webhooks are served and its workers have started. Ends on SIGTERM.
import {
  Client,
  ConvertsTo,
  CustomResource,
  Field,
  Kind,
  loadClusterConfig,
  Manager,
  map,
  move,
  Mutate,
  Validate,
  type Logger,
  type Review,
} from 'kindwright';

const { WEBHOOKS = 'yes', CERT_DIR: certDir = '', PORT = '0' } = process.env;
const isServing = WEBHOOKS === 'yes';

class PodSetSpec {
  @Field({ format: 'int32', minimum: 0 }) size!: number;
  @Field({ optional: true }) note?: string;
}

class PodSetStatus {
  @Field({ items: String }) nodes: string[] = [];
}

@Kind({ group: 'apps.jicki.cn', version: 'v1', storage: true, kind: 'PodSet' })
class PlainPodSet extends CustomResource {
  @Field() spec!: PodSetSpec;
  @Field() status!: PodSetStatus;

  reconcile(): void {
    return undefined;
  }
}

@Kind({ group: 'apps.jicki.cn', version: 'v1', storage: true })
class PodSet extends CustomResource {
  @Field() spec!: PodSetSpec;
  @Field() status!: PodSetStatus;

  reconcile(): void {
    return undefined;
  }

  @Mutate() label(): void {
    this.metadata.labels = { team: 'none', ...this.metadata.labels };
  }

  @Validate() check(review: Review<PodSet>): void {
    if (this.spec.size > 1000) review.invalid('spec.size', 'at most 1000');
    if (review.old && this.spec.size < review.old.spec.size) review.invalid('spec.size', 'may not shrink');
  }
}

class OldSpec {
  @Field({ format: 'int32', minimum: 0 }) replicas!: number;
  @Field({ optional: true }) remark?: string;
}

@Kind({ group: 'apps.jicki.cn', version: 'v1beta1', kind: 'PodSet' })
@ConvertsTo(PodSet, [
  move('spec.replicas', 'spec.size'),
  map(
    'spec.remark',
    'spec.note',
    (remark: string) => remark,
    (note: string) => note,
  ),
])
export abstract class PodSetV1Beta1 extends CustomResource {
  @Field() spec!: OldSpec;
  @Field() status!: PodSetStatus;
}

// What run-operator writes as JSON; bench/webhooks.ts waits for its lines.
const logger: Logger = {
  debug: () => undefined,
  info: (message, fields) => console.log(JSON.stringify({ message, ...fields })),
  warn: () => undefined,
  error: (message, fields) => console.error(message, fields),
  child: () => logger,
};
const manager = new Manager({
  logger,
  client: new Client(await loadClusterConfig()),
  namespaces: ['watched'], // not the one of the objects that are created to measure their review
  ...(isServing && { webhooks: { certDir, bindAddress: `127.0.0.1:${PORT}` } }),
  metricsBindAddress: '127.0.0.1:0',
  healthProbeBindAddress: '0',
});
const abort = new AbortController();
process.on('SIGTERM', () => process.exit());
manager.add(isServing ? PodSet : PlainPodSet); // with the versions that convert to it
await manager.run(abort.signal);
