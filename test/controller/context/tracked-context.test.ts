import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigMap, Deployment, InvalidError, Secret, type KubeObject } from 'kindwright';
import { TrackedCall } from '../../../src/base/tracked-call.js';
import { userLocation } from '../../../src/base/user-frames.js';
import { LiveContext } from '../../../src/controller/context/live-context.js';
import type { ReconcileRequest } from '../../../src/controller/run/reconcile-request.js';
import { TrackedContext } from '../../../src/controller/context/tracked-context.js';
import { ControllerParts, gizmo } from '../gizmo.js';

let parts: ControllerParts;
let request: ReconcileRequest;
let ctx: TrackedContext;
const map: ConfigMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'm', namespace: 'team', uid: 'um', resourceVersion: '2' },
};

beforeEach(async () => {
  parts = await ControllerParts.with([ConfigMap, map]);
  request = parts.request();
  ctx = new TrackedContext(new LiveContext(parts.services, request, gizmo('a')), request);
});
afterEach(() => parts.stop());

/** As the client throws it from a callback of a socket: without the frames of the caller. */
function rejection(): InvalidError {
  const error = new InvalidError('spec is invalid', {
    status: 422,
    reason: 'Invalid',
    request: { method: 'PATCH', path: '/' },
  });
  error.stack = 'InvalidError: spec is invalid\n    at Socket.onData (node:net:1:1)';
  return error;
}

/** The text of this file at a location. */
function sourceAt(location = ''): string | undefined {
  const [path = '', line, column] = location.split(':');
  return readFileSync(path, 'utf8')
    .split('\n')
    [Number(line) - 1]?.slice(Number(column) - 1);
}

async function errorOf(call: Promise<unknown>): Promise<Error> {
  try {
    await call;
  } catch (error) {
    return error as Error;
  }
  throw new Error('the call succeeded');
}

describe('an error of a context call has the line of the caller', () => {
  beforeEach(() => {
    parts.answer = parts.answerDelete = () => {
      throw rejection();
    };
  });

  test.each<[string, () => Promise<unknown>]>([
    ['apply', () => ctx.apply(Deployment, { metadata: { name: 'web' } })],
    ['create', () => ctx.create(Secret, { metadata: { name: 'web' } })],
    ['update', () => ctx.update(ConfigMap, map, (draft) => (draft.data = { a: '1' }))],
    ['patch', () => ctx.patch(ConfigMap, 'm', {})],
    ['delete', () => ctx.delete(ConfigMap, map)],
  ])('the error of %s has the line of the caller, also when the promise is returned', async (method, call) => {
    const error = await errorOf(call());
    expect(error).toBeInstanceOf(InvalidError);
    expect(error.stack).toMatch(/^InvalidError: spec is invalid\n {4}at Socket\.onData/);
    expect(sourceAt(userLocation(error))).toMatch(new RegExp(`^(${method})?\\(`));
    expect(TrackedCall.rejectedBy(error)?.description).toMatch(new RegExp(`^ctx\\.${method}\\(\\w+, "(web|m)"\\)$`));
  });

  test('the errors of several simultaneous calls have the lines of their callers', async () => {
    const failed = await Promise.allSettled([ctx.patch(ConfigMap, 'one', {}), ctx.patch(ConfigMap, 'two', {})]);
    const [one, two] = failed.map((result) => sourceAt(userLocation((result as PromiseRejectedResult).reason)));
    expect(one).toMatch(/^patch\(ConfigMap, 'one'/);
    expect(two).toMatch(/^patch\(ConfigMap, 'two'/);
  });

  test('the error of a read from the server has the line of the caller', async () => {
    Object.assign(parts.services.client, { list: () => Promise.reject(rejection()) });
    expect(userLocation(await errorOf(ctx.list(Secret)))).toMatch(/^test\/controller/);
  });
});

test('the reason of an abort is not changed, because all reconciles share it', async () => {
  const reason = rejection();
  parts.answer = () => {
    request.abort(reason);
    throw reason;
  };
  expect(await errorOf(ctx.patch(ConfigMap, 'm', {}))).toBe(reason);
  expect(userLocation(reason)).toBeUndefined();
});

describe('running writes', () => {
  test('running writes are those that were sent and have not settled', async () => {
    parts.answer = () => map;
    const done = ctx.patch(ConfigMap, 'm', {});
    expect(ctx.runningWrites.map(({ call }) => call.description)).toEqual(['ctx.patch(ConfigMap, "m")']);
    expect(ctx.runningWrites[0]?.call.location).toMatch(/^test\/controller\/context\/tracked-context\.test\.ts:\d+:\d+$/);
    await done;
    expect(ctx.runningWrites).toEqual([]);
  });

  test('running writes include neither reads nor writes that sent nothing', async () => {
    const calls = [ctx.get(ConfigMap, 'm'), ctx.list(ConfigMap), ctx.update(ConfigMap, map, () => undefined)];
    expect(ctx.runningWrites).toEqual([]);
    await Promise.all(calls);
  });
});

test('a tracked context returns the results of the context', async () => {
  parts.answer = ({ body }) => ({ ...(body as KubeObject), kind: 'ConfigMap' });
  expect((await ctx.get(ConfigMap, 'm'))?.metadata.uid).toBe('um');
  expect(await ctx.list(ConfigMap)).toHaveLength(1);
  expect((await ctx.apply(ConfigMap, { metadata: { name: 'n' } })).metadata.name).toBe('n');
  ctx.event('Normal', 'Done', 'all done');
  expect(parts.recorded).toEqual([{ about: 'a', reason: 'Done' }]);
  expect(ctx.signal).toBe(request.signal);
  expect(ctx.log).toBe(request.log);
});
