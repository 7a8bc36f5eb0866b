import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedApiServer } from '../../src/apiserver/embedded-api-server.js';
import { ControlPlane } from '../controlplane/control-plane.js';
import { ApiEndpoint, type ApiCall } from '../fidelity/api-endpoint.js';
import { knownDifferences } from '../fidelity/known-differences.js';
import { differences, normalize } from '../fidelity/normalize.js';
import { randomCalls } from '../fidelity/random-calls.js';
import { scenario, setUp } from '../fidelity/scenario.js';

const RANDOM_CALLS = 1000;
const MIN_EQUAL_SHARE = 0.98;

let real: ControlPlane;
let embedded: EmbeddedApiServer;
let endpoints: readonly [ApiEndpoint, ApiEndpoint];

beforeAll(async () => {
  [real, embedded] = await Promise.all([ControlPlane.start({ nodes: 0 }), EmbeddedApiServer.start({ nodes: 0 })]);
  endpoints = [new ApiEndpoint(embedded.kubeconfig), new ApiEndpoint(real.kubeconfig)];
  for (const endpoint of endpoints) for (const call of setUp) await endpoint.send(call);
  const isServed = async (endpoint: ApiEndpoint) =>
    (await endpoint.send({ method: 'GET', path: '/apis/fidelity.example.com/v1/widgets' })).code === 200;
  while (!(await Promise.all(endpoints.map(isServed))).every(Boolean)) await delay(50);
});
afterAll(async () => {
  for (const endpoint of endpoints) endpoint.close();
  await Promise.all([real.stop(), embedded.stop()]);
});

async function compare(call: ApiCall): Promise<string[]> {
  const [ours, theirs] = [await endpoints[0].send(call), await endpoints[1].send(call)];
  return differences(
    { code: ours.code, body: normalize(ours.body) },
    { code: theirs.code, body: normalize(theirs.body) },
  );
}

test('the embedded server answers as the real one does, but for the known differences', async () => {
  const unexpected: string[] = [];
  let equal = 0;
  for (const call of scenario) {
    const found = await compare(call);
    if (found.length === 0) equal++;
    else if (!knownDifferences.some(({ matches }) => matches(call)))
      unexpected.push(`${call.method} ${call.path}\n  ${found.slice(0, 5).join('\n  ')}`);
  }
  console.log(
    `${equal} of ${scenario.length} replies equal`,
    knownDifferences.map(({ why }) => why),
  );
  expect(unexpected).toEqual([]);
}, 120_000);

test.each([101, 102])(
  'random requests of seed %i are answered alike',
  async (seed) => {
    const unequal: string[] = [];
    const calls = randomCalls(seed);
    for (let count = 0; count < RANDOM_CALLS; count++) {
      const call = calls.next().value;
      const found = await compare(call);
      if (found.length > 0) unequal.push(`${call.method} ${call.path}\n  ${found.slice(0, 3).join('\n  ')}`);
    }
    const share = 1 - unequal.length / RANDOM_CALLS;
    console.log(`seed ${seed}: ${(share * 100).toFixed(2)}% of ${RANDOM_CALLS} replies equal`, unequal.slice(0, 5));
    expect(share).toBeGreaterThanOrEqual(MIN_EQUAL_SHARE);
  },
  120_000,
);
