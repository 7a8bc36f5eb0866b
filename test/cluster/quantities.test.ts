import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Client, compareQuantities, Deployment, loadClusterConfig, normalizeQuantity } from 'kindwright';
import { startControlPlane, type RunningControlPlane } from '../controlplane/start-control-plane.js';

let cluster: RunningControlPlane;
let client: Client;
beforeAll(async () => {
  cluster = await startControlPlane({ parts: ['etcd', 'apiserver'] });
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
});
afterAll(async () => {
  client.close();
  await cluster.stop();
});

const digits = fc.oneof(
  fc.constantFrom('0', '00', '5', '007', '12', '500', '1000', '1024', '1500', '2048', '10000'),
  fc.nat(1e9).map(String),
  fc.bigInt({ min: 0n, max: 10n ** 20n }).map(String),
);
const fraction = fc.oneof(
  fc.constantFrom('', '.', '.0', '.5', '.500', '.001', '.000'),
  fc.nat(1e6).map((part) => `.${part}`),
);
const suffix = fc.constantFrom(
  ...['', 'n', 'u', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'],
  ...['e0', 'E3', 'e+3', 'e-3', 'e03', 'e1', 'E2', 'e17', 'e-10'],
);
// Kubernetes drops the suffix of more than 999E.
const quantity = fc
  .tuple(fc.constantFrom('', '+'), digits, fraction, suffix)
  .map((parts) => parts.join(''))
  .filter((text) => compareQuantities(text, '1000E') < 0);

/** Returns the texts that the API server stores, from a Deployment with a volume for each. */
async function stored(texts: readonly string[]): Promise<unknown[]> {
  const labels = { app: 'quantities' };
  const volumes = texts.map((sizeLimit, index) => ({ name: `v${index}`, emptyDir: { sizeLimit } }));
  const template = { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'app' }], volumes } };
  const { spec } = await client.create(
    Deployment,
    { metadata: { name: 'quantities', namespace: 'default' }, spec: { selector: { matchLabels: labels }, template } },
    { dryRun: true },
  );
  return (spec?.template.spec?.volumes ?? []).map(({ emptyDir }) => emptyDir?.sizeLimit);
}

test('normalizeQuantity returns any quantity as the API server stores it', async () => {
  const texts = fc.array(quantity, { minLength: 200, maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(texts, async (given) => {
      const pairs = (results: readonly unknown[]) => given.map((text, index) => `${text} is ${String(results[index])}`);
      expect(pairs(given.map(normalizeQuantity))).toEqual(pairs(await stored(given)));
    }),
    { numRuns: 20, endOnFailure: true },
  );
});
