import { describe, expect, test } from '@jest/globals';
import { FakeClock } from '../../src/base/fake-clock.js';
import { objectAt, type JsonObject } from '../../src/base/json-object.js';
import { conversionReview, type Converter } from '../../src/webhook/conversion-review.js';

const kind = {
  group: 'apps.example.com',
  version: 'v1',
  kind: 'PodSet',
  plural: 'podsets',
  scope: 'Namespaced',
} as const;
const convert = (object: JsonObject, apiVersion: string): JsonObject => {
  if (typeof object['fails'] === 'string') throw new RangeError(object['fails']);
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

async function response(body: unknown, converter: Converter = { kind, convert }, clock = new FakeClock()) {
  const result = await conversionReview(body, new Map([['apps.example.com/PodSet', converter]]), clock);
  return objectAt(result.review, 'response');
}

describe('a ConversionReview', () => {
  test('is answered with the objects in their order', async () => {
    expect(await response(review(request([podSet('a'), podSet('b')])))).toEqual({
      uid: '1',
      convertedObjects: [
        podSet('a', { apiVersion: 'apps.example.com/v1' }),
        podSet('b', { apiVersion: 'apps.example.com/v1' }),
      ],
      result: { status: 'Success' },
    });
  });

  test('fails as a whole for one object that cannot be converted, which the message names', async () => {
    expect(await response(review(request([podSet('a'), podSet('b', { fails: 'no size' })])))).toEqual({
      uid: '1',
      convertedObjects: [],
      result: { status: 'Failure', message: 'PodSet default/b: no size' },
    });
  });

  test('fails for a kind that no class converts', async () => {
    const other = podSet('a', { kind: 'Other' });
    expect(objectAt(await response(review(request([other]))), 'result')).toEqual({
      status: 'Failure',
      message: 'Other default/a: no class of this operator converts the kind',
    });
  });

  test('of many objects does not keep the event loop from its other work', async () => {
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

  test.each([
    ['another kind', { apiVersion: 'apiextensions.k8s.io/v1', kind: 'AdmissionReview' }],
    ['another version', { apiVersion: 'apiextensions.k8s.io/v1beta1', kind: 'ConversionReview' }],
    ['no request', review(undefined)],
    ['no uid', review({ ...request([]), uid: '' })],
    ['objects that are no list', review({ ...request([]), objects: {} })],
    ['an object that is null', review(request([null]))],
    ['a body that is null', null],
  ])('is rejected with status 400 if it has %s', async (_, body) => {
    await expect(response(body)).rejects.toMatchObject({ status: 400 });
  });
});
