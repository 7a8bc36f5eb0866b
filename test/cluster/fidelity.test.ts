import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedApiServer } from '../../src/apiserver/embedded-api-server.js';
import { ControlPlane } from '../controlplane/control-plane.js';
import { ApiEndpoint } from '../fidelity/api-endpoint.js';
import { BUILT_IN_KINDS } from '../fidelity/built-in-kinds.js';
import { CUSTOM_KINDS } from '../fidelity/custom-kinds.js';
import { Comparison } from '../fidelity/comparison.js';
import { knownDifferences } from '../fidelity/known-differences.js';
import { scenario, setUp } from '../fidelity/scenario.js';

const KINDS = [...BUILT_IN_KINDS, ...CUSTOM_KINDS];
/** `FIDELITY_REQUESTS` asks for more, `FIDELITY_SEED` for others, `FIDELITY_REPORT` names a file for all that differs. */
const REQUESTS = Number(process.env.FIDELITY_REQUESTS ?? 4000);
const SEED = Number(process.env.FIDELITY_SEED ?? 101);
const MIN_EQUAL_SHARE = 0.9;
const LANES = 4;
const TIMEOUT_MS = 60_000 + REQUESTS * 60;

let real: ControlPlane | undefined;
let embedded: EmbeddedApiServer | undefined;
let comparison: Comparison;
let endpoints: readonly ApiEndpoint[] = [];

beforeAll(async () => {
  const parts = ['etcd', 'apiserver'] as const;
  const apiserverArgs = ['--disable-admission-plugins=ServiceAccount,TaintNodesByCondition'];
  [real, embedded] = await Promise.all([
    ControlPlane.start({ parts, apiserverArgs }),
    EmbeddedApiServer.start({ withoutControllers: true, historyLimit: REQUESTS }),
  ]);
  const [ours, theirs] = [new ApiEndpoint(embedded.kubeconfig), new ApiEndpoint(real.kubeconfig)];
  endpoints = [ours, theirs];
  comparison = new Comparison(ours, theirs);
  for (const endpoint of endpoints) {
    for (const call of setUp) {
      const { code, body } = await endpoint.send(call);
      if (code !== 201) throw new Error(`${call.path}: ${JSON.stringify(body)}`);
    }
  }
  const isServed = async (endpoint: ApiEndpoint, plural: string) =>
    (await endpoint.send({ method: 'GET', path: `/apis/fidelity.example.com/v1/${plural}` })).code === 200;
  for (const endpoint of endpoints)
    for (const { plural } of CUSTOM_KINDS) while (!(await isServed(endpoint, plural))) await delay(50);
}, TIMEOUT_MS);
afterAll(async () => {
  for (const endpoint of endpoints) endpoint.close();
  await Promise.all([real?.stop(), embedded?.stop()]);
});

test('the embedded server answers as the real one does, but for the known differences', async () => {
  const unexpected: string[] = [];
  let equal = 0;
  for (const call of scenario) {
    const found = await comparison.differences(call);
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

test(
  'at least nine of ten random requests are answered alike',
  async () => {
    const report = await comparison.run(KINDS, { requests: REQUESTS, seed: SEED, lanes: LANES });
    console.log(report.summary());
    if (process.env.FIDELITY_REPORT !== undefined) writeFileSync(process.env.FIDELITY_REPORT, report.details());
    expect(report.equalShare).toBeGreaterThanOrEqual(MIN_EQUAL_SHARE);
  },
  TIMEOUT_MS,
);
