import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedApiServer } from '../../../src/apiserver/embedded-api-server.js';
import { ControlPlane } from '../../controlplane/control-plane.js';
import { ApiEndpoint, type ApiReply } from '../../fidelity/api-endpoint.js';
import { BUILT_IN_KINDS } from '../../fidelity/built-in-kinds.js';
import { CUSTOM_KINDS } from '../../fidelity/custom-kinds.js';
import { Comparison } from '../../fidelity/comparison.js';
import { triedSchemaPaths } from '../../fidelity/flow-kinds.js';
import { scenario, setUp } from '../../fidelity/scenario.js';

const KINDS = [...BUILT_IN_KINDS, ...CUSTOM_KINDS];
const [DEFAULT_REQUESTS, DEFAULT_SEED] = [20_000, 101];
/**
 * `FIDELITY_REQUESTS` sets the number of requests, `FIDELITY_SEED` the seed, `FIDELITY_REPORT` a file for all differences.
 */
const REQUESTS = Number(process.env.FIDELITY_REQUESTS ?? DEFAULT_REQUESTS);
const SEED = Number(process.env.FIDELITY_SEED ?? DEFAULT_SEED);
const IS_DEFAULT = REQUESTS === DEFAULT_REQUESTS && SEED === DEFAULT_SEED;
const MIN_EQUAL_SHARE = 0.996;
const LANES = 6;
const TIMEOUT_MS = 60_000 + REQUESTS * 60;

let real: ControlPlane | undefined;
let embedded: EmbeddedApiServer | undefined;
let comparison: Comparison;
let endpoints: readonly ApiEndpoint[] = [];

/** Repeats a read until an asynchronous change of the server is done. */
async function until(endpoint: ApiEndpoint, path: string, isDone: (reply: ApiReply) => boolean): Promise<void> {
  while (!isDone(await endpoint.send({ method: 'GET', path }))) await delay(50);
}

beforeAll(async () => {
  const parts = ['etcd', 'apiserver'] as const;
  const apiserverArgs = ['--allow-privileged=true', '--disable-admission-plugins=ServiceAccount', '--profiling=false'];
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
  // The servers start with different roles; the administrator needs none.
  for (const endpoint of endpoints)
    for (const plural of ['clusterrolebindings', 'clusterroles'])
      await endpoint.send({ method: 'DELETE', path: `/apis/rbac.authorization.k8s.io/v1/${plural}` });
  for (const endpoint of endpoints) {
    for (const path of triedSchemaPaths)
      await until(endpoint, path, ({ body }) => JSON.stringify(body).includes('"Dangling"'));
    for (const { plural } of CUSTOM_KINDS)
      await until(endpoint, `/apis/fidelity.example.com/v1/${plural}`, ({ code }) => code === 200);
  }
}, TIMEOUT_MS);
afterAll(async () => {
  for (const endpoint of endpoints) endpoint.close();
  await Promise.all([real?.stop(), embedded?.stop()]);
});

test('the embedded server responds to a scenario like the real one, except for the known differences', async () => {
  for (const call of scenario) await comparison.compare('scenario', call);
  expect(comparison.report.unlisted).toEqual([]);
}, 120_000);

test(
  'random requests and watches have the same responses on both servers, except for the known differences',
  async () => {
    const { report } = comparison;
    await comparison.run(KINDS, { requests: REQUESTS, seed: SEED, lanes: LANES });
    console.log(report.summary());
    if (process.env.FIDELITY_REPORT !== undefined) writeFileSync(process.env.FIDELITY_REPORT, report.details());
    expect(report.equalShare).toBeGreaterThanOrEqual(MIN_EQUAL_SHARE);
    expect(report.unlisted).toEqual([]);
    if (IS_DEFAULT) expect(report.obsolete.map(({ why }) => why)).toEqual([]);
  },
  TIMEOUT_MS,
);
