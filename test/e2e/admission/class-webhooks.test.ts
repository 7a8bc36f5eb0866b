import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, loadClusterConfig, type UnstructuredObject } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { stringifyJson } from '../../../src/base/json.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';
import { installKinds, RunningManager } from '../sdk/running-manager.js';
import { AdmissionSuite } from './admission-suite.js';
import { behavior, ReviewedPodSet, Ruled, Stuck } from './reviewed-pod-set.js';

const PATH = '/apis/reviews.example.com/v1/namespaces/default/podsets';
const initial = { ...behavior };
let cluster: SuiteControlPlane;
let suite: AdmissionSuite;
let client: Client;
let manager: RunningManager;
let count = 0;
let name = '';

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  suite = await AdmissionSuite.start(Promise.resolve(cluster));
  client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  await installKinds(client, [ReviewedPodSet, Ruled, Stuck]);
  manager = await start();
});
afterAll(async () => {
  await manager.stop();
  client.close();
  await suite.stop();
});
beforeEach(() => {
  Object.assign(behavior, initial, { seen: [] });
  name = `case-${String(++count)}`;
});

async function start(): Promise<RunningManager> {
  let served = (): void => undefined;
  const serving = new Promise<void>((resolve) => (served = resolve));
  const started = new RunningManager(client, [ReviewedPodSet, Ruled, Stuck], {
    webhooks: { register: client, onServing: served },
  });
  await Promise.race([serving, started.ended]);
  return started;
}

function podSet(spec: object, metadata: object = { name }): object {
  return { apiVersion: 'reviews.example.com/v1', kind: 'PodSet', metadata, spec };
}

const apply = (fieldManager: string, object: object) =>
  suite.send('PATCH', `${PATH}/${name}?fieldManager=${fieldManager}`, object, 'application/apply-patch+yaml');

describe('a class with @Mutate and @Validate', () => {
  test('@Mutate sets fields, and @Validate rejects with all causes and every line of the warnings (W2)', async () => {
    expect(await suite.must('POST', PATH, podSet({ size: 1 }))).toMatchObject({ spec: { size: 1, zone: 'a' } });
    behavior.validate = (_, review) => {
      review.invalid('spec.size', 'is "odd"');
      review.invalid('spec.zone', 'is unknown');
      review.invalid('metadata.labels', 'lack the team');
      review.warn(`one "quoted"\ntwo\n${'x'.repeat(5000)}`);
    };
    const { code, body, warnings } = await suite.send('POST', PATH, podSet({ size: 1 }, { name: `${name}-b` }));
    const denied = 'admission webhook "validate.podsets.reviews.example.com" denied the request: ';
    expect({ code, body }).toEqual({
      code: 422,
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        code: 422,
        reason: 'Invalid',
        message: `${denied}PodSet.reviews.example.com "${name}-b" is invalid: [spec.size: is "odd", spec.zone: is unknown, metadata.labels: lack the team]`,
        details: {
          name: `${name}-b`,
          group: 'reviews.example.com',
          kind: 'PodSet',
          causes: [
            { reason: 'FieldValueInvalid', message: 'is "odd"', field: 'spec.size' },
            { reason: 'FieldValueInvalid', message: 'is unknown', field: 'spec.zone' },
            { reason: 'FieldValueInvalid', message: 'lack the team', field: 'metadata.labels' },
          ],
        },
      },
    });
    expect(warnings).toEqual([String.raw`one \"quoted\"`, 'two', `${'x'.repeat(255)}…`]);
    expect((await suite.send('GET', `${PATH}/${name}-b`)).code).toBe(404);
  });

  test('@Validate compares with the old object and reviews deletions', async () => {
    behavior.validate = ({ spec }, review) => {
      if (spec.size < (review.old?.spec.size ?? 0)) review.invalid('spec.size', 'may not shrink');
    };
    await suite.must('POST', PATH, podSet({ size: 3, zone: 'locked' }));
    const shrunk = await suite.send('PATCH', `${PATH}/${name}`, { spec: { size: 2 } }, 'application/merge-patch+json');
    expect([shrunk.code, shrunk.body.message]).toEqual([422, expect.stringMatching(/spec\.size: may not shrink$/)]);
    const deleted = await suite.send('DELETE', `${PATH}/${name}`);
    expect([deleted.code, deleted.body.message]).toEqual([403, expect.stringMatching(/is forbidden: is locked$/)]);
    await suite.must('PATCH', `${PATH}/${name}`, { spec: { zone: 'b' } }, 'application/merge-patch+json');
    await suite.must('DELETE', `${PATH}/${name}`);
  });

  test('@Validate before a class rejects writes that violate rules which only the operator can check', async () => {
    const path = '/apis/reviews.example.com/v1/namespaces/default/ruleds';
    const ruled = (...ports: string[]) => ({
      apiVersion: 'reviews.example.com/v1',
      kind: 'Ruled',
      metadata: { name },
      spec: { ports: ports.map((each) => ({ name: each })) },
    });
    const { code, body } = await suite.send('POST', path, ruled('ab', 'aba'));
    expect([code, body.reason, body.details?.causes]).toEqual([
      422,
      'Invalid',
      [{ reason: 'FieldValueInvalid', message: 'must read the same backwards', field: 'spec.ports[0].name' }],
    ]);
    await suite.must('POST', path, ruled('aba'));
  });

  test('a method that throws rejects the write, except with failurePolicy Ignore (W3)', async () => {
    const path = '/apis/reviews.example.com/v1/namespaces/default/stucks';
    const stuck = (note: string) => ({
      apiVersion: 'reviews.example.com/v1',
      kind: 'Stuck',
      metadata: { name: `${name}-${note}` },
      note,
    });
    const broken = await suite.send('POST', path, stuck('broken'));
    expect([broken.code, broken.body.message]).toEqual([
      500,
      expect.stringMatching(
        /failed calling webhook "validate\.stucks\.reviews\.example\.com".*Stuck\.mustNotFail: TypeError: see the log of the operator/,
      ),
    ]);
    expect((await suite.send('POST', path, stuck('ignored'))).code).toBe(201);
    expect(manager.logger.lines.filter(({ message }) => message === 'Review failed')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ fields: expect.objectContaining({ method: 'Stuck.mustNotFail' }) }),
        expect.objectContaining({ fields: expect.objectContaining({ method: 'Stuck.mayFail' }) }),
      ]),
    );
  });

  test('webhooks keep unknown fields, long integers and unusual names of members (W4)', async () => {
    const extra = '{"__proto__":{"a/b~c":[9007199254740993,{"":null}]},"constructor":1}';
    const sent = stringifyJson(podSet({ size: 1, limit: 9_007_199_254_740_993n })).replace(
      '"size":1',
      `"size":1,"extra":${extra}`,
    );
    behavior.mutate = ({ spec }) => {
      spec.zone ??= 'a';
      (spec.extra ??= {})['x/y~z'] = { '': 9_007_199_254_740_995n };
    };
    await suite.must('POST', PATH, sent);
    const stored = (await client.get(ReviewedPodSet, name, { namespace: 'default' })) as unknown as UnstructuredObject;
    const spec = stored['spec'] as { readonly extra: object };
    expect(stringifyJson(spec.extra)).toBe(`${extra.slice(0, -1)},"x/y~z":{"":9007199254740995}}`);
    expect(stored).toMatchObject({
      spec: { size: 1, limit: 9_007_199_254_740_993n, zone: 'a' },
    });
  });

  test('@Mutate sets an absent field without a conflict between appliers (W5)', async () => {
    const wanted = podSet({ size: 1, zone: 'a' });
    expect((await apply('one', podSet({ size: 1 }))).code).toBe(201);
    expect((await apply('two', wanted)).code).toBe(200);
    const { code, body } = await apply('one', podSet({ size: 1 }));
    expect([code, body.spec]).toEqual([200, { size: 1, zone: 'a' }]);
    const managers = (body.metadata!.managedFields as unknown as readonly { readonly manager: string }[]).map(
      ({ manager: each }) => each,
    );
    expect(managers).toEqual(expect.arrayContaining(['one', 'two']));
  });

  test('webhooks handle dry runs, generated names and subresources (W7)', async () => {
    expect((await suite.send('POST', `${PATH}?dryRun=All`, podSet({ size: 1 }))).body.spec).toEqual({
      size: 1,
      zone: 'a',
    });
    expect(behavior.seen.map(({ method, review }) => [method, review.dryRun, review.name])).toEqual([
      ['fill', true, name],
      ['check', true, name],
    ]);
    await suite.must('POST', PATH, podSet({ size: 1 }));
    behavior.seen = [];
    await suite.must('PATCH', `${PATH}/${name}/status`, { status: { ready: 1 } }, 'application/merge-patch+json');
    const scale = (replicas: number) =>
      suite.send('PATCH', `${PATH}/${name}/scale`, { spec: { replicas } }, 'application/merge-patch+json');
    expect((await scale(3)).code).toBe(200);
    expect((await scale(30)).body.message).toMatch(/spec\.replicas: must be at most 10$/);
    expect(behavior.seen).toEqual([]);
    await suite.must('POST', PATH, podSet({ size: 1 }, { generateName: `${name}-` }));
    expect(behavior.seen.map(({ method, review }) => [method, review.name])).toEqual([
      ['fill', undefined],
      ['check', expect.stringMatching(`^${name}-.`)], // the name is generated before validation
    ]);
  });

  test('a rule that was added later does not keep an object from being deleted (W9)', async () => {
    await suite.must('POST', PATH, podSet({ size: 1 }, { name, finalizers: ['example.com/wait'] }));
    behavior.validate = (_, review) => {
      review.invalid('spec.size', 'breaks the new rule');
    };
    await suite.must('DELETE', `${PATH}/${name}`);
    await suite.must('PATCH', `${PATH}/${name}`, { metadata: { finalizers: [] } }, 'application/merge-patch+json');
    expect((await suite.send('GET', `${PATH}/${name}`)).code).toBe(404);
  });

  test('a method that never ends rejects a hundred writes at its timeout, and other kinds are not affected (W11)', async () => {
    const stuck = (index: number) => ({
      apiVersion: 'reviews.example.com/v1',
      kind: 'Stuck',
      metadata: { name: `${name}-${String(index)}` },
      note: 'stuck',
    });
    const path = '/apis/reviews.example.com/v1/namespaces/default/stucks';
    const replies = Array.from({ length: 100 }, (_, index) => suite.send('POST', path, stuck(index)));
    await suite.must('POST', PATH, podSet({ size: 1 }));
    const messages = (await Promise.all(replies)).map(
      ({ code, body }) => `${String(code)} ${JSON.stringify(body.message)}`,
    );
    expect(
      new Set(messages.map((message) => /^500 .*failed calling webhook ..timeout\.validate/.test(message))),
    ).toEqual(new Set([true]));
  });

  test('webhooks read the cache only once it has synced (W10)', async () => {
    await suite.must('POST', PATH, podSet({ size: 1 }));
    await manager.stop();
    const counts: number[] = [];
    behavior.validate = async (_, review) => {
      counts.push((await review.list(ReviewedPodSet)).length);
    };
    manager = await start();
    const { items } = await client.list(ReviewedPodSet, { namespace: 'default' });
    await suite.must('POST', PATH, podSet({ size: 1 }, { name: `${name}-b` }));
    expect(counts).toEqual([items.length]);
  });

  test('webhooks are registered only while the manager runs', async () => {
    await manager.stop();
    for (const kind of ['mutating', 'validating']) {
      const path = `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`;
      const { body } = await suite.send('GET', path);
      const names = (body.items as unknown as readonly UnstructuredObject[]).map(({ metadata }) => metadata.name);
      expect(names.filter((each) => each.includes('reviews.example.com'))).toEqual([]);
    }
    await eventually(async () => {
      const { code, body } = await suite.send('POST', PATH, podSet({ size: 1 }));
      expect([code, body.spec]).toEqual([201, { size: 1 }]);
    });
    manager = await start();
  });
});
