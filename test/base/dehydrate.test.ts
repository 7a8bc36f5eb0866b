import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dehydrate } from '../../src/base/dehydrate.js';

class Status {
  nodes = ['a'];
  message: string | undefined = undefined;
}

describe('dehydrate', () => {
  test('dehydrate makes plain JSON of instances, without members that are undefined', () => {
    const plain = dehydrate({ status: new Status() }, 'x');
    expect(plain).toStrictEqual({ status: { nodes: ['a'] } });
  });

  test('dehydrate leaves any JSON value unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(dehydrate(value, 'x')).toEqual(value);
      }),
    );
  });

  test('dehydrate formats a Date as Kubernetes formats times', () => {
    expect(dehydrate([new Date(0), new Date(1)], 'x')).toEqual(['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.001Z']);
  });

  test('dehydrate writes what toJSON returns, and the digits of a subclass of Date', () => {
    class MicroTime extends Date {
      override toISOString = (): string => `${super.toISOString().slice(0, -1)}000Z`;
    }
    const value = [new URL('http://a.example/'), new MicroTime(0)];
    expect(dehydrate(value, 'x')).toEqual(['http://a.example/', '1970-01-01T00:00:00.000000Z']);
  });

  test('dehydrate rejects a value that contains itself', () => {
    const value: Record<string, unknown> = {};
    value['self'] = value;
    expect(() => dehydrate(value, 'x')).toThrow('x is nested too deeply or contains itself');
  });

  test('dehydrate shares nothing with the value', () => {
    const value = { nodes: ['a'] };
    (dehydrate(value, 'x') as typeof value).nodes.push('b');
    expect(value.nodes).toEqual(['a']);
  });

  test('dehydrate keeps __proto__ as a key', () => {
    const value = JSON.parse('{"__proto__": {"a": 1}}') as unknown;
    expect(JSON.stringify(dehydrate(value, 'x'))).toBe('{"__proto__":{"a":1}}');
  });

  test.each([
    [new Date(NaN), 'PodSet.status.since is an invalid Date, which has no JSON form'],
    [NaN, 'PodSet.status.since is NaN, which has no JSON form'],
    [new Map(), 'PodSet.status.since is a Map, which has no JSON form'],
    [new Uint8Array(1), 'PodSet.status.since is a Uint8Array, which has no JSON form'],
    [Infinity, 'PodSet.status.since is Infinity, which has no JSON form'],
    [Symbol('a'), 'PodSet.status.since is a value of type symbol, which has no JSON form'],
    [() => 1, 'PodSet.status.since is a value of type function, which has no JSON form'],
    [['a', undefined], 'PodSet.status.since[1] is a value of type undefined, which has no JSON form'],
  ])('dehydrate rejects %p and names its path', (since, message) => {
    expect(() => dehydrate({ since }, 'PodSet.status')).toThrow(message);
  });
});
