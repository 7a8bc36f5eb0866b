import {
  Client,
  clientMetrics,
  ConfigMap,
  Context,
  createLogger,
  createMetrics,
  customResourceDefinitionsOf,
  CustomResource,
  Field,
  installCrds,
  Kind,
  loadClusterConfig,
  Manager,
  manifestsOf,
  Owns,
} from 'kindwright';

class NoteSpec {
  @Field() text!: string;
}

/** A text that is kept in a ConfigMap. */
@Kind({ group: 'docs.example.com', version: 'v1' })
@Owns(ConfigMap)
export class Note extends CustomResource {
  @Field() spec!: NoteSpec;

  async reconcile(ctx: Context): Promise<void> {
    await ctx.apply(ConfigMap, { metadata: { name: this.metadata.name }, data: { text: this.spec.text } });
  }
}

/** Runs the operator in this program until the signal is aborted. */
export async function main(signal: AbortSignal, kubeconfig?: string): Promise<void> {
  const logger = await createLogger();
  const metrics = await createMetrics();
  const config = await loadClusterConfig({ kubeconfig });
  const client = new Client(config, { logger, metrics: clientMetrics(metrics) });
  try {
    await installCrds(client, [Note], { logger, signal });
    const manager = new Manager({
      client,
      logger,
      metrics,
      leaderElection: { leaseName: 'notes', namespace: 'default' },
      metricsBindAddress: '127.0.0.1:0',
      gracefulShutdownTimeout: '10s',
    });
    await manager.add(Note).run(signal);
  } finally {
    client.close();
  }
}

/** Prints the names of the definitions and manifests of the class. */
export async function printManifests(): Promise<void> {
  for (const definition of await customResourceDefinitionsOf([Note])) console.log(definition.metadata.name);
  for (const file of await manifestsOf([Note], { image: 'registry.example.com/notes:1' })) console.log(file.path);
}

if (import.meta.main) {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  await main(stop.signal);
}
