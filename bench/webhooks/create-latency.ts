import { Client, loadClusterConfig, ValidatingWebhookConfiguration } from 'kindwright';
import { median } from '../report.ts';

const CREATES = 1000;
const WARM_UP = 200;
const NAME = 'bench.apps.jicki.cn';

/** Creates objects on the embedded server one at a time, without webhooks and with one. */
export async function measureCreates(
  kubeconfig: string,
  webhook: { url: string; ca: string },
): Promise<Record<string, number>> {
  const client = new Client(await loadClusterConfig({ kubeconfig }));
  const without = await createAll(client, 'without');
  await client.create(ValidatingWebhookConfiguration, {
    metadata: { name: NAME },
    webhooks: [
      {
        name: NAME,
        clientConfig: { url: webhook.url, caBundle: Buffer.from(webhook.ca).toString('base64') },
        rules: [{ apiGroups: ['apps.jicki.cn'], apiVersions: ['v1'], resources: ['podsets'], operations: ['CREATE'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
  const reviewed = await createAll(client, 'reviewed');
  await client.delete(ValidatingWebhookConfiguration, NAME);
  client.close();
  return {
    'embedded server: create, ms': median(without),
    'embedded server: create, least ms': Math.min(...without),
    'embedded server: create with one webhook, ms': median(reviewed),
    'embedded server: create with one webhook, least ms': Math.min(...reviewed),
  };
}

/** Returns the latencies in milliseconds. */
async function createAll(client: Client, prefix: string): Promise<number[]> {
  const kind = {
    group: 'apps.jicki.cn',
    version: 'v1',
    kind: 'PodSet',
    plural: 'podsets',
    scope: 'Namespaced',
  } as const;
  const latencies: number[] = [];
  for (let index = 0; index < WARM_UP + CREATES; index++) {
    const object = {
      apiVersion: 'apps.jicki.cn/v1',
      kind: 'PodSet',
      metadata: { name: `${prefix}-${index}`, namespace: 'default' },
      spec: { size: 3 },
    };
    const begin = performance.now();
    await client.create(kind, object);
    if (index >= WARM_UP) latencies.push(performance.now() - begin);
    await client.delete(kind, object.metadata.name, { namespace: 'default' });
  }
  return latencies;
}
