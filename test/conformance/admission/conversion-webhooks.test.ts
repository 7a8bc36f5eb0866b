import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AdmissionSuite, text, WebhookServer, type Json, type Reply } from '../../e2e/admission/admission-suite.js';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const NAME = 'gauges.conversion.example.com';

let suite: AdmissionSuite;
let server: WebhookServer;
/** The function that replaces the conversion. */
let sabotage: ((converted: Record<string, unknown>[]) => object) | undefined;

beforeAll(async () => {
  suite = await AdmissionSuite.start();
  server = await WebhookServer.start((request) => answer(request), 'whole');
  await suite.must('POST', DEFINITIONS, definition());
  await suite.until(
    () => suite.send('GET', '/apis/conversion.example.com/v2/namespaces/default/gauges'),
    ({ code }) => code === 200,
  );
});
afterAll(async () => {
  server.stop();
  await suite.stop();
});
let count = 0;
let name: string;
beforeEach(() => {
  name = `gauge-${count++}`;
  server.reviews.length = 0;
  sabotage = undefined;
});

const gauges = (version: string): string => `/apis/conversion.example.com/${version}/namespaces/default/gauges`;

/** v1 has `spec.level`, v2 has `spec.value.level`. */
function converted(object: Json, apiVersion: string): Record<string, unknown> {
  const { spec, metadata, kind } = object;
  const level = (spec!.value?.level ?? spec!.level) as unknown as number;
  const isSecond = apiVersion.endsWith('/v2');
  const labels = { ...(metadata!.labels as unknown as object), via: 'webhook' };
  return {
    apiVersion,
    kind,
    metadata: { ...metadata, labels, finalizers: ['not/kept'] },
    spec: isSecond ? { value: { level } } : { level },
  };
}

function answer(request: Json): object {
  const objects = request.objects as unknown as Json[];
  const convertedObjects = objects.map((object) => converted(object, text(request.desiredAPIVersion)));
  const good = { uid: request.uid, result: { status: 'Success' }, convertedObjects };
  return {
    kind: 'ConversionReview',
    apiVersion: 'apiextensions.k8s.io/v1',
    response: { ...good, ...sabotage?.(convertedObjects) },
  };
}

function definition(): Json {
  const schema = (value: object): object => ({
    openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: value } } },
  });
  const level = { type: 'integer' };
  const second = { value: { type: 'object', properties: { level, unit: { type: 'string', default: 'bar' } } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: NAME },
    spec: {
      group: 'conversion.example.com',
      scope: 'Namespaced',
      names: { plural: 'gauges', singular: 'gauge', kind: 'Gauge', listKind: 'GaugeList' },
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: server.clientConfig('/convert'), conversionReviewVersions: ['v1'] },
      },
      versions: [
        { name: 'v1', served: true, storage: true, schema: schema({ level }) },
        { name: 'v2', served: true, storage: false, schema: schema(second) },
      ],
    },
  } as unknown as Json;
}

const gauge = (version: string, spec: object): object => ({
  apiVersion: `conversion.example.com/${version}`,
  kind: 'Gauge',
  metadata: { name },
  spec,
});

describe('a conversion webhook', () => {
  test('a conversion webhook converts stored objects to the requested version, without its defaults', async () => {
    const first = await suite.must('POST', gauges('v1'), gauge('v1', { level: 3 }));
    // Watch caches of the other version may have it converted to that version.
    const desired = server.reviews.map(({ request }) => request!.desiredAPIVersion);
    expect(desired).not.toContain('conversion.example.com/v1');
    const second = await suite.must('GET', `${gauges('v2')}/${name}`);
    expect([second.apiVersion, second.spec]).toEqual(['conversion.example.com/v2', { value: { level: 3 } }]);
    const { labels, ...metadata } = second.metadata!;
    expect(labels).toEqual({ via: 'webhook' });
    expect(metadata).toEqual(first.metadata);
  });

  test('a conversion webhook gets the objects and the desired version', async () => {
    const stored = await suite.must('POST', gauges('v1'), gauge('v1', { level: 4 }));
    await suite.must('GET', `${gauges('v2')}/${name}`);
    const { resourceVersion, ...metadata } = stored.metadata!;
    expect(resourceVersion).toBeDefined();
    const { request, ...review } = server.reviews.at(-1)!;
    expect(review).toEqual({
      kind: 'ConversionReview',
      apiVersion: 'apiextensions.k8s.io/v1',
      response: { uid: '', convertedObjects: null, result: { metadata: {} } },
    });
    expect(text(request!.uid)).toMatch(/^[0-9a-f-]{36}$/);
    expect(request).toEqual({
      uid: request!.uid,
      desiredAPIVersion: 'conversion.example.com/v2',
      objects: [{ ...stored, metadata }],
    });
  });

  test('a conversion webhook converts objects written in another version to the stored version', async () => {
    const created = await suite.must('POST', gauges('v2'), gauge('v2', { value: { level: 5 } }));
    expect([created.apiVersion, created.spec]).toEqual(['conversion.example.com/v2', { value: { level: 5 } }]);
    expect((await suite.must('GET', `${gauges('v1')}/${name}`)).spec).toEqual({ level: 5 });
    const patched = await suite.must(
      'PATCH',
      `${gauges('v2')}/${name}`,
      { spec: { value: { level: 6 } } },
      'application/merge-patch+json',
    );
    expect(patched.spec).toEqual({ value: { level: 6 } });
    expect((await suite.must('GET', `${gauges('v1')}/${name}`)).spec).toEqual({ level: 6 });
  });

  test('lists and deletions are converted', async () => {
    await suite.must('POST', gauges('v1'), gauge('v1', { level: 7 }));
    const { items } = await suite.must('GET', gauges('v2'));
    const found = (items as unknown as Json[]).find(({ metadata }) => text(metadata!.name) === name)!;
    expect([found.apiVersion, found.spec]).toEqual(['conversion.example.com/v2', { value: { level: 7 } }]);
    await suite.must('DELETE', `${gauges('v2')}/${name}`);
    expect((await suite.send('GET', `${gauges('v1')}/${name}`)).code).toBe(404);
  });

  test('an object that cannot be converted to the stored version is deleted in that version only', async () => {
    await suite.must('POST', gauges('v1'), gauge('v1', { level: 13 }));
    const isToV1 = (objects: Record<string, unknown>[]) => text(objects[0]!['apiVersion'] as Json).endsWith('/v1');
    sabotage = (objects) => (isToV1(objects) ? { result: { status: 'Failure', message: 'no way' } } : {});
    const second = `${gauges('v2')}/${name}`;
    const isCached = () => suite.send('GET', `${second}?resourceVersion=0`); // by the watch cache of the real server
    await suite.until(isCached, ({ code }) => code === 200);
    const { code, body } = await suite.send('DELETE', second);
    expect([code, body.message]).toEqual([500, expect.stringMatching(/\/v2, Kind=Gauge failed: no way$/)]);
    expect((await suite.send('DELETE', `${second}?dryRun=All`)).code).toBe(200);
    await suite.must('DELETE', `${gauges('v1')}/${name}`);
    expect((await suite.send('GET', second)).code).toBe(404);
  });

  test('watches are converted, each event in its order', async () => {
    const { metadata } = await suite.must('GET', gauges('v2'));
    await suite.must('POST', gauges('v1'), gauge('v1', { level: 1 }));
    for (const level of [2, 3]) {
      const patch = { spec: { level } };
      await suite.must('PATCH', `${gauges('v1')}/${name}`, patch, 'application/merge-patch+json');
    }
    const query = `watch=1&timeoutSeconds=1&resourceVersion=${text(metadata!.resourceVersion)}`;
    const linesOf = ({ body }: Reply): string[] => text(body.text).trim().split('\n');
    const watched = await suite.until(
      () => suite.send('GET', `${gauges('v2')}?${query}`),
      (reply) => linesOf(reply).length === 3, // a busy server may need longer than a second
    );
    const events = linesOf(watched).map((line) => JSON.parse(line) as Json);
    expect(events.map(({ type, object }) => [type, object!.spec!.value!.level])).toEqual([
      ['ADDED', 1],
      ['MODIFIED', 2],
      ['MODIFIED', 3],
    ]);
  });

  test.each<[string, (converted: Record<string, unknown>[]) => object, string]>([
    ['fails', () => ({ result: { status: 'Failure', message: 'no way' } }), 'failed: no way'],
    ['returns no status or reason', () => ({ result: {} }), "failed: response.result.status was '', not 'Success'"],
    ['answers another request', () => ({ uid: 'x' }), 'failed: expected response.uid='],
    ['loses an object', () => ({ convertedObjects: [] }), 'returned 0 objects, expected 1'],
    [
      'answers with another version',
      ([object]) => ({ convertedObjects: [{ ...object, apiVersion: 'x/v9' }] }),
      'returned invalid object at index 0: invalid groupVersion (expected conversion.example.com/v2, received x/v9)',
    ],
    [
      'renames an object',
      ([object]) => ({ convertedObjects: [{ ...object, metadata: { ...(object!.metadata as object), name: 'x' } }] }),
      'returned invalid object: must have the same name: ',
    ],
    [
      'adds invalid labels',
      ([object]) => ({
        convertedObjects: [
          {
            ...object,
            metadata: { ...(object!.metadata as object), labels: { 'a b': '-' }, annotations: null },
          },
        ],
      }),
      'returned invalid metadata: [metadata.labels: Invalid value: "a b": ',
    ],
    [
      'adds annotations of a wrong type',
      ([object]) => ({
        convertedObjects: [{ ...object, metadata: { ...(object!.metadata as object), annotations: { a: 1 } } }],
      }),
      'returned invalid metadata: metadata.annotations[a] must be a string, but is int64 in converted object',
    ],
    [
      'returns labels as a list',
      ([object]) => ({ convertedObjects: [{ ...object, metadata: { ...(object!.metadata as object), labels: [] } }] }),
      'returned invalid metadata: invalid metadata.labels of type []interface {} in converted object',
    ],
  ])('a conversion webhook that %s makes the request fail', async (_what, how, message) => {
    await suite.must('POST', gauges('v1'), gauge('v1', { level: 8 }));
    sabotage = how;
    const reply: Reply = await suite.send('GET', `${gauges('v2')}/${name}`);
    sabotage = undefined;
    expect(reply.code).toBe(500);
    expect(text(reply.body.message)).toContain(
      `conversion webhook for conversion.example.com/v1, Kind=Gauge ${message}`,
    );
    expect((await suite.send('GET', `${gauges('v2')}/${name}`)).code).toBe(200);
  });

  describe('of a definition that is to go', () => {
    const DIALS = `${DEFINITIONS}/dials.conversion.example.com`;
    const dials = '/apis/conversion.example.com/v1/namespaces/default/dials';
    const served = (versions: (all: Json[]) => object[]): object => {
      const { spec, ...rest } = definition();
      const names = { plural: 'dials', singular: 'dial', kind: 'Dial', listKind: 'DialList' };
      const changed = { ...spec, names, versions: versions(spec!.versions as unknown as Json[]) };
      return { ...rest, metadata: { name: 'dials.conversion.example.com' }, spec: changed };
    };
    const newDial = async (): Promise<void> => {
      const reversed = served((all) => all.toReversed());
      await suite.must('POST', DEFINITIONS, reversed);
      const read = () => suite.send('GET', dials);
      await suite.until(read, ({ code }) => code === 200);
      await suite.must('POST', dials, { ...gauge('v1', { level: 9 }), kind: 'Dial' });
    };
    /**
     * Waits until it is neither stored nor served, so that the next definition of the same name is a new one.
     * The real server forgets a definition after a conflict with its own last write, until another change of it.
     */
    const isGone = async (): Promise<void> => {
      for (const path of [DIALS, dials])
        await suite.until(
          async () => {
            const annotations = { second: new Date().toISOString().slice(0, 19) };
            await suite.send('PATCH', DIALS, { metadata: { annotations } }, 'application/merge-patch+json');
            return suite.send('GET', path);
          },
          ({ code }) => code === 404,
        );
    };

    test('an object in the stored version needs no conversion when its definition is deleted', async () => {
      await newDial();
      sabotage = () => ({ result: { status: 'Failure', message: 'no way' } });
      await suite.must('DELETE', DIALS);
      await isGone();
    });

    test('a definition is not deleted until the webhook converts objects stored in another version', async () => {
      await newDial();
      const versions = served(([first, second]) => [
        { ...second!, storage: true },
        { ...first!, storage: false },
      ]) as { spec: { versions: object } };
      await suite.must('PATCH', DIALS, { spec: versions.spec }, 'application/merge-patch+json');
      sabotage = () => ({ result: { status: 'Failure', message: 'no way' } });
      await suite.until(
        () => suite.send('GET', dials.replace('/v1/', '/v2/')),
        ({ code }) => code !== 200,
      );
      await suite.must('DELETE', DIALS);
      const failed = ({ body }: Reply): string | undefined =>
        (body.status?.conditions as unknown as { reason: string; message: string }[]).find(
          ({ reason }) => reason === 'InstanceDeletionFailed',
        )?.message;
      const reply = await suite.until(
        () => suite.send('GET', DIALS),
        (given) => failed(given)?.includes('conversion webhook') === true,
      );
      expect(failed(reply)).toMatch(
        /^could not list instances: .*conversion webhook for conversion.example.com\/v1, Kind=Dial failed: no way$/,
      );
      sabotage = undefined;
      await isGone();
    });
  });
});
