import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FakeClock } from '../../src/base/fake-clock.js';
import { deepClone } from '../../src/base/deep-clone.js';
import { objectAt, type JsonObject } from '../../src/base/json-object.js';
import { createMetrics } from '../../src/base/metrics.js';
import { OperatorError } from '../../src/base/operator-error.js';
import { parseJson } from '../../src/base/json.js';
import { conversionReview } from '../../src/webhook/conversion-review.js';
import type { Converter } from '../../src/webhook/converted-objects.js';
import { webhookMetrics } from '../../src/webhook/webhook-metrics.js';
import { SharedSlices } from '../../src/webhook/shared-slices.js';
import { SpareBlocks } from '../../src/webhook/spare-blocks.js';

const kind = {
  group: 'apps.example.com',
  version: 'v1',
  kind: 'PodSet',
  plural: 'podsets',
  scope: 'Namespaced',
} as const;
const convert = (object: JsonObject, apiVersion: string): JsonObject => {
  if (typeof object['fails'] === 'string') throw new OperatorError(object['fails'], { code: 'E_TEST' });
  if (object['breaks'] === true) throw new RangeError('hunter2');
  return { ...object, apiVersion };
};
const podSet = (name: string, more: object = {}) => ({
  apiVersion: 'apps.example.com/v1beta1',
  kind: 'PodSet',
  metadata: { name, namespace: 'default' },
  ...more,
});
const review = (request: unknown) => ({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request });
const request = (objects: readonly unknown[]) => ({
  uid: '1',
  desiredAPIVersion: 'apps.example.com/v1',
  objects,
});

async function response(review: unknown, converter?: Converter, clock?: FakeClock) {
  return responseTo(JSON.stringify(review), converter, clock);
}

async function responseTo(text: string, converter: Converter = { kind, convert }, clock = new FakeClock()) {
  return responseToChunks([Buffer.from(text)], converter, clock);
}

async function responseToChunks(
  chunks: readonly Buffer[],
  converter: Converter = { kind, convert },
  clock = new FakeClock(),
) {
  const { body } = await result(chunks, converter, clock);
  return objectAt(parseJson(Buffer.concat(body).toString()), 'response');
}

function result(chunks: readonly Buffer[], converter: Converter, clock: FakeClock) {
  const conversions = new Map([['apps.example.com/PodSet', converter]]);
  return conversionReview(chunks, conversions, { slices: new SharedSlices(clock), blocks: new SpareBlocks(clock) });
}

describe('a ConversionReview', () => {
  test('a ConversionReview counts the objects that it converts, by version', async () => {
    const metrics = await createMetrics({ ofProcess: false });
    const { converted } = webhookMetrics(metrics);
    const old = podSet('c', { apiVersion: 'apps.example.com/v1alpha1' });
    const counted = async (objects: readonly unknown[]): Promise<void> => {
      const chunk = Buffer.from(JSON.stringify(review(request(objects))));
      for (const count of (await result([chunk], { kind, convert }, new FakeClock())).converted) converted(count);
    };
    await counted([podSet('a'), podSet('b'), old]);
    await counted([podSet('a'), podSet('b', { fails: 'no size' })]); // nothing is returned
    const lines = (await metrics.expose()).text.split('\n').filter((line) => line.startsWith('kindwright_conversion'));
    expect(lines).toEqual([
      'kindwright_conversion_objects_total{kind="PodSet",from="v1beta1",to="v1"} 2',
      'kindwright_conversion_objects_total{kind="PodSet",from="v1alpha1",to="v1"} 1',
    ]);
  });

  test('a ConversionReview is answered with the objects in their order', async () => {
    expect(await response(review(request([podSet('a'), podSet('b')])))).toEqual({
      uid: '1',
      convertedObjects: [
        podSet('a', { apiVersion: 'apps.example.com/v1' }),
        podSet('b', { apiVersion: 'apps.example.com/v1' }),
      ],
      result: { status: 'Success' },
    });
  });

  test('a ConversionReview with an object that cannot be converted fails with its name', async () => {
    expect(await response(review(request([podSet('a'), podSet('b', { fails: 'no size' })])))).toEqual({
      uid: '1',
      convertedObjects: [],
      result: { status: 'Failure', message: 'PodSet default/b: no size' },
    });
  });

  test('a ConversionReview that fails contains no text of an error that is not written for users', async () => {
    const { message } = objectAt(await response(review(request([podSet('b', { breaks: true })]))), 'result');
    expect(message).toBe('PodSet default/b: RangeError: see the log of the operator');
  });

  test('the message of a ConversionReview that fails is bounded', async () => {
    const object = podSet('b', { fails: 'x'.repeat(100_000) });
    const { message } = objectAt(await response(review(request([object]))), 'result');
    expect(message).toBe(`PodSet default/b: ${'x'.repeat(982)}…`);
  });

  test('a ConversionReview with an object that is nested too deeply fails with its name', async () => {
    const object = JSON.stringify(podSet('b', { spec: 0 })).replace('0', '['.repeat(9_000) + ']'.repeat(9_000));
    const text = JSON.stringify(review(request([]))).replace('[]', `[${object}]`);
    const recursive: Converter = {
      kind,
      convert: (from, apiVersion) => ({ ...deepClone(from), apiVersion }),
    };
    expect(objectAt(await responseTo(text, recursive), 'result')).toEqual({
      status: 'Failure',
      message: 'PodSet default/b: the object is nested too deeply',
    });
  });

  test.each([30, 50, 100_000])('a ConversionReview with %d spaces before its list is answered', async (count) => {
    const text = JSON.stringify(review(request([podSet('a')]))).replace(
      '"objects":[',
      `"objects"${' '.repeat(count)}: \n[`,
    );
    for (const size of [text.length, 7]) {
      const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
        Buffer.from(text.slice(index * size, (index + 1) * size)),
      );
      expect((await responseToChunks(chunks))['convertedObjects']).toHaveLength(1);
    }
  });

  test.each([
    ['object', JSON.stringify(review(request([podSet('a', { text: 'x'.repeat(7 * 1024 * 1024) })])))],
    ['part of an object', '{"request":{"objects":[{"text":"' + 'x'.repeat(7 * 1024 * 1024)],
    ['member beside the objects', '{"request":{"text":"' + 'x'.repeat(7 * 1024 * 1024)],
  ])('a ConversionReview with an %s that is longer than any of an API server is rejected', async (_, text) => {
    await expect(responseTo(text)).rejects.toMatchObject({ status: 413 });
  });

  test('a ConversionReview with an object that is deeper than API servers accept is rejected', async () => {
    const text = '{"request":{"objects":[' + '['.repeat(3_000_000) + ']'.repeat(3_000_000);
    await expect(responseTo(`${text}]}}`)).rejects.toMatchObject({ status: 400 });
  });

  test('a ConversionReview for a kind that no class converts fails', async () => {
    const other = podSet('a', { kind: 'Other' });
    expect(objectAt(await response(review(request([other]))), 'result')).toEqual({
      status: 'Failure',
      message: 'Other default/a: no class of this operator converts the kind',
    });
  });

  test('a ConversionReview of many objects does not block the event loop', async () => {
    let now = 0;
    const clock = Object.assign(new FakeClock(), { monotonic: () => (now += 3) });
    let turns = 0;
    const count = (): void => {
      turns++;
      if (turns < 100) setImmediate(count);
    };
    setImmediate(count);
    const objects = Array.from({ length: 20 }, (_, index) => podSet(String(index)));
    expect(objectAt(await response(review(request(objects)), { kind, convert }, clock), 'result')).toEqual({
      status: 'Success',
    });
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  test('a response in the memory of an earlier one contains its own objects', async () => {
    const conversions = new Map([['apps.example.com/PodSet', { kind, convert }]]);
    const clock = new FakeClock();
    const resources = { slices: new SharedSlices(clock), blocks: new SpareBlocks(clock) };
    for (const text of ['ä😀', '"', '€']) {
      const objects = Array.from({ length: 40 }, (_, index) =>
        podSet(String(index), { spec: text.repeat(9000 + index) }),
      );
      const body = Buffer.from(JSON.stringify(review(request(objects))));
      const result = await conversionReview([body], conversions, resources);
      const converted = objects.map((object) => ({ ...object, apiVersion: 'apps.example.com/v1' }));
      expect(objectAt(parseJson(Buffer.concat(result.body).toString()), 'response')['convertedObjects']).toEqual(
        converted,
      );
      result.release();
    }
  });

  test('a ConversionReview with any names, texts, order of members and size of chunks is answered with every object', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue(), { maxKeys: 4 }), { maxLength: 6 }),
        fc.dictionary(fc.string({ unit: fc.constantFrom('a', '"', '\\\\', '[', ']', '{', '}', ',') }), fc.jsonValue()),
        fc.boolean(),
        fc.constantFrom(undefined, 2),
        fc.integer({ min: 1, max: 200 }),
        async (specs, more, isFirst, indent, size) => {
          const objects = specs.map((spec, index) => podSet(String(index), { spec }));
          const members = isFirst ? { objects, ...more } : { ...more, objects };
          const full = review({ ...members, ...request([]), objects });
          const body = Buffer.from(JSON.stringify(full, undefined, indent));
          const chunks = Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
            body.subarray(index * size, (index + 1) * size),
          );
          const { convertedObjects } = await responseToChunks(chunks);
          const expected = objects.map((object) => ({ ...object, apiVersion: 'apps.example.com/v1' }));
          expect(convertedObjects).toEqual(JSON.parse(JSON.stringify(expected)));
        },
      ),
    );
  });

  test.each([
    '',
    '{',
    '{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"1","desiredAPIVersion":"a/v1","objects":[',
    '{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"1","desiredAPIVersion":"a/v1","objects":[{"apiVersion":"apps.example.com/v1beta1","kind":"PodSet","metadata":{}},]}}',
    '{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"1","desiredAPIVersion":"a/v1","objects":[{"a":]}]}}',
    '{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"1","desiredAPIVersion":"a/v1","objects":[],"objects":[{}]}}',
  ])('a ConversionReview is rejected with status 400 if its JSON is not valid: %s', async (text) => {
    await expect(responseTo(text)).rejects.toMatchObject({ status: 400 });
  });

  test.each([
    ['another kind', { apiVersion: 'apiextensions.k8s.io/v1', kind: 'AdmissionReview' }],
    ['another version', { apiVersion: 'apiextensions.k8s.io/v1beta1', kind: 'ConversionReview' }],
    ['no request', review(undefined)],
    ['no uid', review({ ...request([]), uid: '' })],
    ['objects that are not a list', review({ ...request([]), objects: {} })],
    ['an object that is null', review(request([null]))],
    ['a body that is null', null],
  ])('a ConversionReview is rejected with status 400 if it has %s', async (_, body) => {
    await expect(response(body)).rejects.toMatchObject({ status: 400 });
  });
});
