import { Context, type CounterMetric, CustomResource, Field, Kind, type StartContext } from 'kindwright';

/** The registry that the operator publishes to. */
export const registry = {
  url: 'https://registry.example.com',
  async ping(signal: AbortSignal): Promise<void> {
    const response = await fetch(`${this.url}/v2/`, { signal });
    if (!response.ok) throw new Error(`the registry responded with status ${response.status}`);
  },
};

class ReleaseSpec {
  @Field() version!: string;
}

class ReleaseStatus {
  @Field() published?: string;
}

@Kind({ group: 'example.com', version: 'v1' })
export class Release extends CustomResource {
  private static published: CounterMetric<'namespace'>;

  @Field() spec!: ReleaseSpec;
  @Field() status!: ReleaseStatus;

  static onStart({ metrics, healthCheck, readyCheck }: StartContext): void {
    this.published = metrics.counter('release_published_total', 'Published releases', ['namespace']);
    metrics.gauge('release_heap_bytes', 'Memory of objects', [], (gauge) => {
      gauge.set(process.memoryUsage().heapUsed);
    });
    healthCheck('memory', () => {
      if (process.availableMemory() < 2 ** 24) throw new Error('almost out of memory');
    });
    readyCheck('registry', (signal) => registry.ping(signal), { timeout: '500ms' });
  }

  async reconcile(ctx: Context): Promise<void> {
    if (this.status.published === this.spec.version) return;
    await registry.ping(ctx.signal);
    this.status.published = this.spec.version;
    Release.published.inc({ namespace: this.metadata.namespace ?? '' });
  }
}
