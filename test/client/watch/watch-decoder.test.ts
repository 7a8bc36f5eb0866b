import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import { ApiError, GoneError } from '../../../src/client/api-error.js';
import { WatchDecoder } from '../../../src/client/watch/watch-decoder.js';
import { WatchError } from '../../../src/client/watch-error.js';

const Secret: KindRef = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', scope: 'Namespaced' };
const META = '"metadata":{"name":"a","uid":"u","resourceVersion":"7"}';

interface Options {
  namespace?: string;
  keepManagedFields?: boolean | 'initial';
  maxLineBytes?: number;
  onEvent?: () => void;
}

/** Decodes chunks; `events` has those before an error. */
function decode(chunks: readonly (Buffer | string)[], options: Options = {}) {
  const events: [string, object][] = [];
  const onEvent = (type: string, object: object): void => {
    options.onEvent?.();
    events.push([type, object]);
  };
  const decoder = new WatchDecoder({ kind: Secret, path: '/api/v1/secrets', ...options, onEvent });
  let error: unknown;
  try {
    for (const chunk of chunks) decoder.push(Buffer.from(chunk));
  } catch (thrown) {
    error = thrown;
  }
  return { events, error };
}

function line(type: string, object: unknown): string {
  return `${JSON.stringify({ type, object })}\n`;
}

describe('WatchDecoder', () => {
  test.each(['ADDED', 'MODIFIED', 'DELETED'])('a watch event of type %s is passed on with its object', (type) => {
    const object = { kind: 'Secret', metadata: { name: 'a', uid: 'u', resourceVersion: '7' } };
    expect(decode([line(type, object)])).toEqual({ events: [[type, object]], error: undefined });
  });

  test('a bookmark needs only a resourceVersion', () => {
    const object = { kind: 'Secret', metadata: { resourceVersion: '7' } };
    expect(decode([line('BOOKMARK', object)]).events).toEqual([['BOOKMARK', object]]);
  });

  test('decoded events are the same, wherever their bytes are cut', () => {
    const name = fc.string({ unit: 'binary', minLength: 1 });
    fc.assert(
      fc.property(fc.array(name), fc.array(fc.nat(2000)), (names, cuts) => {
        const objects = names.map((text) => ({ metadata: { name: text, uid: 'u', resourceVersion: '7' } }));
        const bytes = Buffer.from(objects.map((object) => line('ADDED', object)).join('\n'));
        const at = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        const { events, error } = decode(chunks);
        expect(error).toBeUndefined();
        expect(events).toEqual(objects.map((object) => ['ADDED', object]));
      }),
    );
  });

  test('blank lines of a watch are skipped, with and without a carriage return', () => {
    const event = line('ADDED', { metadata: { name: 'a', uid: 'u', resourceVersion: '7' } });
    expect(decode(['\n\r\n', event, '\r', '\n', '\n', event, '\n']).events).toHaveLength(2);
  });

  test('a watch line without its end is not passed on', () => {
    expect(decode([`{"type":"ADDED","object":{${META}}}`])).toEqual({ events: [], error: undefined });
  });

  test('a watch line beyond the limit is an error; one at the limit is not', () => {
    const event = line('ADDED', { metadata: { name: 'a', uid: 'u', resourceVersion: '7' } });
    const chunks = [event.slice(0, 20), event.slice(20, -1), '\n'];
    expect(decode(chunks, { maxLineBytes: event.length - 1 }).events).toHaveLength(1);
    expect(decode(chunks, { maxLineBytes: event.length - 2 }).error).toMatchObject({
      reason: 'malformed',
      message: `the watch of secrets contains an event of more than ${String(event.length - 2)} bytes`,
    });
  });

  test('managedFields of watch events are dropped unless they are kept on request', () => {
    const text =
      '{"type":"ADDED","object":{"metadata":{"name":"a","uid":"u","resourceVersion":"7","managedFields":[{}]}}}\n';
    expect(JSON.stringify(decode([text]).events)).toBe(
      '[["ADDED",{"metadata":{"name":"a","uid":"u","resourceVersion":"7"}}]]',
    );
    const kept = { metadata: { name: 'a', uid: 'u', resourceVersion: '7', managedFields: [{}] } };
    expect(decode([text], { keepManagedFields: true }).events).toEqual([['ADDED', kept]]);
  });

  test('managedFields of initial events are kept on request, and no longer after the bookmark that ends them', () => {
    const managed = { metadata: { name: 'a', uid: 'u', resourceVersion: '7', managedFields: [{}] } };
    const end = { metadata: { resourceVersion: '7', annotations: { 'k8s.io/initial-events-end': 'true' } } };
    const lines = [line('ADDED', managed), line('BOOKMARK', { metadata: { resourceVersion: '7' } })];
    const { events } = decode([...lines, line('ADDED', managed), line('BOOKMARK', end), line('ADDED', managed)], {
      keepManagedFields: 'initial',
    });
    const kept = events.map(([, object]) => JSON.stringify(object).includes('managedFields'));
    expect(kept).toEqual([true, false, true, false, false]);
  });

  test('an integer beyond 2^53 in a watch event is exact', () => {
    const { events } = decode([`{"type":"ADDED","object":{${META},"spec":9007199254740993}}\n`]);
    expect(events[0]?.[1]).toMatchObject({ spec: 9007199254740993n });
  });

  test('a key __proto__ in a watch event is data, and nothing inherits from it', () => {
    const { events } = decode([`{"type":"ADDED","object":{${META},"__proto__":{"isAdmin":true}}}\n`]);
    expect((events[0]?.[1] as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  test('an ERROR event is thrown as its ApiError and never passed on', () => {
    const status = { kind: 'Status', apiVersion: 'v1', code: 410, reason: 'Expired', message: 'too old' };
    expect(decode([line('ERROR', status)])).toMatchObject({ events: [], error: expect.any(GoneError) as unknown });
    expect(decode(['{"type":"ERROR","object":{}}\n']).error).toBeInstanceOf(ApiError);
  });

  test.each([
    ['text that is not JSON', '{"type":"ADDED","object":{"data":"s3cret"', 'an invalid event of type ADDED'],
    ['an unknown type', `{"type":"RENAMED","object":{${META},"data":"s3cret"}}`, 'an invalid event of type RENAMED'],
    ['no object', '{"type":"ADDED"}', 'object without name, uid or resourceVersion'],
    ['a null object', '{"type":"ADDED","object":null}', 'object without name, uid or resourceVersion'],
    ['an object without metadata', '{"type":"ADDED","object":{"data":"s3cret"}}', 'object without name'],
    [
      'no name',
      '{"type":"ADDED","object":{"metadata":{"uid":"u","resourceVersion":"7"},"data":"s3cret"}}',
      'without name',
    ],
    ['no uid', '{"type":"ADDED","object":{"metadata":{"name":"a","resourceVersion":"7"},"data":"s3cret"}}', 'uid'],
    [
      'no resourceVersion',
      '{"type":"ADDED","object":{"metadata":{"name":"a","uid":"u"},"data":"s3cret"}}',
      'resourceVersion',
    ],
    ['another kind', `{"type":"ADDED","object":{"kind":"Table",${META},"rows":["s3cret"]}}`, 'unexpected kind Table'],
    [
      'another apiVersion',
      `{"type":"ADDED","object":{"apiVersion":"example.com/v1","kind":"Secret",${META},"data":"s3cret"}}`,
      'unexpected apiVersion example.com/v1',
    ],
    ['a bookmark without resourceVersion', '{"type":"BOOKMARK","object":{"metadata":{}}}', 'a bookmark without'],
    [
      'a bookmark with an empty resourceVersion',
      '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":""}}}',
      'a bookmark',
    ],
    [
      'an empty resourceVersion',
      '{"type":"ADDED","object":{"metadata":{"name":"a","uid":"u","resourceVersion":""},"data":"s3cret"}}',
      'resourceVersion',
    ],
    ['an array', '["s3cret"]', 'a line that is not an event'],
    ['null', 'null', 'a line that is not an event'],
  ])('%s ends the watch with an error that does not quote it', (_what, text, message) => {
    const { events, error } = decode([
      line('ADDED', { metadata: { name: 'x', uid: 'u', resourceVersion: '1' } }),
      `${text}\n`,
    ]);
    expect(events).toHaveLength(1);
    expect(error).toBeInstanceOf(WatchError);
    expect(error).toMatchObject({ code: 'E_WATCH', reason: 'malformed' });
    expect((error as Error).message).toContain(message);
    expect((error as Error).message).not.toContain('s3cret');
  });

  test('an object of another namespace than that of the watch ends the watch', () => {
    const event = (namespace: string) =>
      line('ADDED', { metadata: { name: 'a', namespace, uid: 'u', resourceVersion: '7' } });
    const { events, error } = decode([event('team'), event('other')], { namespace: 'team' });
    expect(events).toHaveLength(1);
    expect(error).toMatchObject({
      reason: 'malformed',
      message: 'object of another namespace in the watch of secrets',
    });
  });

  test('an error of the event handler is thrown unchanged', () => {
    const boom = new Error('boom');
    const onEvent = (): never => {
      throw boom;
    };
    expect(decode([`{"type":"ADDED","object":{${META}}}\n`], { onEvent }).error).toBe(boom);
  });
});
