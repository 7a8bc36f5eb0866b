import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { AlreadyExistsError, ApiError, ConfigMap, ConnectionError, type KubeObject } from 'kindwright';
import type { ConnectionFailure } from '../../../src/client/connection-error.js';
import { LiveContext } from '../../../src/controller/context/live-context.js';
import { ControllerParts, gizmo } from '../gizmo.js';

const map: ConfigMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'm', namespace: 'team', uid: 'um', resourceVersion: '2' },
  data: { a: '1' },
};

let parts: ControllerParts;
let ctx: LiveContext;

beforeEach(async () => {
  parts = await ControllerParts.with([ConfigMap, map]);
  ctx = new LiveContext(parts.services, parts.request(), gizmo('a'));
});
afterEach(() => parts.stop());

const lost = (reason: ConnectionFailure = 'reset'): ConnectionError =>
  new ConnectionError('lost the connection', { reason, host: 'server' });

const failed = (status: number, reason: string): ApiError =>
  new ApiError(reason, { status, reason, request: { method: 'PATCH', path: '/' } });

/** Every write fails with the error; `live` is what the server has stored. */
function failing(error: Error, live: KubeObject | undefined): void {
  const fail = (): never => {
    throw error;
  };
  parts.answer = fail;
  parts.answerDelete = fail;
  parts.live = () => live;
}

const changed: ConfigMap = { ...map, metadata: { ...map.metadata, resourceVersion: '10' }, data: { a: '2' } };
const data = () => ctx.get(ConfigMap, 'm').then((object) => object?.data);

describe('a write whose response is lost', () => {
  test.each<[string, (given: LiveContext) => Promise<unknown>]>([
    ['apply', (given) => given.apply(ConfigMap, { metadata: { name: 'm' }, data: { a: '2' } }, { owned: false })],
    ['patch', (given) => given.patch(ConfigMap, 'm', { data: { a: '2' } })],
    ['update', (given) => given.update(ConfigMap, map, (draft) => (draft.data = { a: '2' }))],
  ])('reads return what the server has stored after a lost response to %s', async (_, write) => {
    const error = lost();
    failing(error, changed);
    await expect(write(ctx)).rejects.toBe(error);
    expect(await data()).toEqual({ a: '2' });
  });

  test.each(['timeout', 'protocol'] as const)('the object is read after a failure of kind %s', async (reason) => {
    failing(lost(reason), changed);
    await expect(ctx.patch(ConfigMap, 'm', {})).rejects.toThrow('lost the connection');
    expect(await data()).toEqual({ a: '2' });
  });

  test.each<[string, Error]>([
    ['a refused connection', lost('refused')],
    ['503, with which the server did not process the request', failed(503, 'ServiceUnavailable')],
    ['422', failed(422, 'Invalid')],
  ])('nothing is read after %s', async (_, error) => {
    failing(error, changed);
    await expect(ctx.patch(ConfigMap, 'm', {})).rejects.toBe(error);
    expect(parts.reads).toEqual([]);
    expect(await data()).toEqual({ a: '1' });
  });

  test('reads return what the server has stored after 504 of a gateway', async () => {
    failing(failed(504, 'Timeout'), changed);
    await expect(ctx.patch(ConfigMap, 'm', {})).rejects.toThrow('Timeout');
    expect(await data()).toEqual({ a: '2' });
  });

  test('the error of the write is thrown if the read fails, and reads return the cached object', async () => {
    const error = lost();
    failing(error, changed);
    parts.live = () => {
      throw lost('refused');
    };
    await expect(ctx.patch(ConfigMap, 'm', {})).rejects.toBe(error);
    expect(await data()).toEqual({ a: '1' });
  });

  test.each<[string, KubeObject | undefined]>([
    ['is deleted', undefined],
    ['has a successor', { ...map, metadata: { ...map.metadata, uid: 'successor', resourceVersion: '10' } }],
  ])('a deletion hides the object if it %s', async (_, live) => {
    const error = lost();
    failing(error, live);
    await expect(ctx.delete(ConfigMap, map)).rejects.toBe(error);
    expect((await ctx.list(ConfigMap)).map(({ metadata }) => metadata.uid)).toEqual(live ? ['successor'] : []);
  });

  test('a deletion that the server did not process leaves the object', async () => {
    failing(lost(), map);
    await expect(ctx.delete(ConfigMap, map)).rejects.toThrow('lost the connection');
    expect(await data()).toEqual({ a: '1' });
  });

  test('nothing is read after the reconcile was aborted', async () => {
    const request = parts.request();
    ctx = new LiveContext(parts.services, request, gizmo('a'));
    const error = lost();
    failing(error, changed);
    parts.answer = () => {
      request.abort(new Error('timed out'));
      throw error;
    };
    await expect(ctx.patch(ConfigMap, 'm', {})).rejects.toThrow();
    expect(parts.reads).toEqual([]);
  });
});

describe('create with generateName', () => {
  const desired = { metadata: { generateName: 'child-' } };
  const names = (): string[] => parts.sent.map(({ name }) => name);

  test('the name is generated as the API server does', async () => {
    parts.random = () => 0;
    await ctx.create(ConfigMap, desired);
    parts.random = () => 0.999;
    await ctx.create(ConfigMap, { metadata: { generateName: 'x'.repeat(70) } });
    expect(names()).toEqual(['child-bbbbb', `${'x'.repeat(58)}99999`]);
    expect(parts.sent[0]?.body).toMatchObject({ metadata: { generateName: 'child-', namespace: 'team' } });
  });

  test('a name that is taken is replaced by another', async () => {
    const values = [...Array<number>(5).fill(0), ...Array<number>(5).fill(0.5)];
    parts.random = () => values.shift() ?? 0;
    parts.answer = ({ name, body }) => {
      if (name === 'child-bbbbb') throw taken;
      return body as KubeObject;
    };
    expect((await ctx.create(ConfigMap, desired)).metadata.name).toMatch(/^child-(.)\1{4}$/);
    expect(names()).toHaveLength(2);
  });

  test('create throws if eight names are taken', async () => {
    parts.answer = () => {
      throw taken;
    };
    await expect(ctx.create(ConfigMap, desired)).rejects.toBe(taken);
    expect(new Set(names()).size).toBe(8);
  });

  test('the next reconcile sees the object whose response was lost', async () => {
    const error = lost();
    parts.answer = ({ body }) => {
      const { metadata } = body as KubeObject;
      parts.live = () => ({ ...map, metadata: { ...metadata, uid: 'child', resourceVersion: '10' } });
      throw error;
    };
    await expect(ctx.create(ConfigMap, desired)).rejects.toBe(error);
    const next = new LiveContext(parts.services, parts.request(), gizmo('a'));
    expect((await next.list(ConfigMap)).map(({ metadata }) => metadata.uid)).toContain('child');
  });
});

const taken = new AlreadyExistsError('it exists', {
  status: 409,
  reason: 'AlreadyExists',
  request: { method: 'POST', path: '/' },
});

describe('a write of a reconcile that is aborted meanwhile', () => {
  const aborted = new Error('aborted');

  /** Sends a patch, and aborts its reconcile before the response. */
  async function abortedPatch(isTimedOut: boolean): Promise<void> {
    const request = parts.request();
    parts.answer = (): never => {
      request.isTimedOut = isTimedOut;
      request.abort(aborted);
      throw aborted;
    };
    parts.live = () => changed;
    const given = new LiveContext(parts.services, request, gizmo('a'));
    await expect(given.patch(ConfigMap, 'm', { data: { a: '2' } })).rejects.toBe(aborted);
    await expect(given.patch(ConfigMap, 'm', {})).rejects.toBe(aborted);
  }

  test('the next reconcile reads what the server has stored after a reconcile that timed out', async () => {
    await abortedPatch(true);
    expect(await data()).toEqual({ a: '2' });
    expect(parts.reads).toHaveLength(1);
  });

  test('nothing is read after a reconcile that was aborted because the process stops or no longer leads', async () => {
    await abortedPatch(false);
    expect(parts.reads).toEqual([]);
  });
});
