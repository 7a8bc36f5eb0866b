import { describe, expect, test } from '@jest/globals';
import { ApiError, GoneError } from '../../src/client/api-error.js';
import { handleWatchLine } from '../../src/client/watch-line.js';
import { WatchLineError } from '../../src/client/watch-line-error.js';

const REQUEST = { method: 'GET', path: '/api/v1/secrets', resource: 'secrets' };

function handle(line: string, keepManagedFields = false): [string, unknown][] {
  const events: [string, unknown][] = [];
  handleWatchLine(line, REQUEST, keepManagedFields, (type, object) => events.push([type, object]));
  return events;
}

function errorOf(line: string): Error {
  try {
    handle(line);
  } catch (error) {
    return error as Error;
  }
  throw new Error('no error');
}

describe('handleWatchLine', () => {
  test.each(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK'])('%s is handed on with its object', (type) => {
    const object = { metadata: { name: 'a', resourceVersion: '7' } };
    expect(handle(JSON.stringify({ type, object }))).toEqual([[type, object]]);
  });

  test('managedFields are dropped unless they are wanted', () => {
    const line = '{"type":"ADDED","object":{"metadata":{"name":"a","managedFields":[{}]}}}';
    expect(JSON.stringify(handle(line))).toBe('[["ADDED",{"metadata":{"name":"a"}}]]');
    expect(handle(line, true)).toEqual([['ADDED', { metadata: { name: 'a', managedFields: [{}] } }]]);
  });

  test('an integer beyond 2^53 is exact', () => {
    const [[, object] = []] = handle('{"type":"ADDED","object":{"metadata":{},"spec":9007199254740993}}');
    expect(object).toEqual({ metadata: {}, spec: 9007199254740993n });
  });

  test('a key __proto__ is data, and nothing inherits from it', () => {
    const [[, object] = []] = handle('{"type":"ADDED","object":{"metadata":{},"__proto__":{"isAdmin":true}}}');
    expect((object as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  test('an ERROR event is thrown as its ApiError and never passed on', () => {
    const status = { kind: 'Status', apiVersion: 'v1', code: 410, reason: 'Expired', message: 'too old' };
    expect(errorOf(JSON.stringify({ type: 'ERROR', object: status }))).toBeInstanceOf(GoneError);
    expect(errorOf('{"type":"ERROR","object":{}}')).toBeInstanceOf(ApiError);
  });

  test.each([
    ['text that is not JSON', '{"type":"ADDED","object":{"data":"s3cret"'],
    ['an unknown type', '{"type":"RENAMED","object":{"metadata":{},"data":"s3cret"}}'],
    ['no object', '{"type":"ADDED"}'],
    ['an object without metadata', '{"type":"ADDED","object":{"data":"s3cret"}}'],
    ['no event at all', '["s3cret"]'],
    ['null', 'null'],
  ])('%s gives the stream up, with a message that does not quote it', (_what, line) => {
    const error = errorOf(line);
    expect(error).toBeInstanceOf(WatchLineError);
    expect(error.message).toContain('/api/v1/secrets');
    expect(error.message).not.toContain('s3cret');
  });

  test('what the handler throws passes as it is', () => {
    const boom = new Error('boom');
    const act = () => {
      handleWatchLine('{"type":"ADDED","object":{"metadata":{}}}', REQUEST, false, () => {
        throw boom;
      });
    };
    expect(act).toThrow(boom);
  });
});
