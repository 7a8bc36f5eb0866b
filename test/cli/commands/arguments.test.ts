import { describe, expect, test } from '@jest/globals';
import {
  addressArgument,
  countArgument,
  durationArgument,
  namespaceArgument,
  namespacesArgument,
  portArgument,
  serverArgument,
} from '../../../src/cli/commands/arguments.js';

describe('addressArgument', () => {
  test.each([':8080', '127.0.0.1:0', '[::1]:8080', 'localhost:65535', '0'])('an address can be %s', (value) => {
    expect(addressArgument(value)).toBe(value);
  });

  test.each(['8080', ':65536', ':x', '', 'a:b:1', '::1:80', ':'])('the address %j is rejected', (value) => {
    expect(() => addressArgument(value)).toThrow('Pass host and port');
  });
});

describe('durationArgument', () => {
  test.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['0s', 0],
  ])('the duration %s is %d ms', (value, expected) => {
    expect(durationArgument(value)).toBe(expected);
  });

  test.each(['30', '-1s', 's', '1x', ''])('the duration %j is rejected', (value) => {
    expect(() => durationArgument(value)).toThrow('Pass a duration');
  });
});

describe('namespaceArgument', () => {
  test.each(['default', 'a', 'x'.repeat(63)])('the namespace %s is accepted', (value) => {
    expect(namespaceArgument(value)).toBe(value);
  });

  test.each(['', 'A', '-a', 'a-', 'a.b', 'x'.repeat(64), 'a b'])('the namespace %j is rejected', (value) => {
    expect(() => namespaceArgument(value)).toThrow('A namespace has');
  });

  test('namespaces of a repeated option are collected without duplicates', () => {
    expect(namespacesArgument('b', namespacesArgument('a', ['b']))).toEqual(['b', 'a']);
  });
});

describe('serverArgument', () => {
  test.each(['https://127.0.0.1:6443', 'http://localhost:8080/prefix', '127.0.0.1:6443', 'https://[::1]:6443'])(
    'the server %s is accepted',
    (value) => {
      expect(serverArgument(value)).toBe(value);
    },
  );

  test.each(['', 'file:///etc', 'https://', 'https://a:b', ':6443'])('the server %j is rejected', (value) => {
    expect(() => serverArgument(value)).toThrow('Pass an address');
  });
});

describe('portArgument', () => {
  test.each([
    ['0', 0],
    ['65535', 65_535],
  ])('the port %s is accepted', (value, port) => {
    expect(portArgument(value)).toBe(port);
  });

  test.each(['', '-1', '65536', '1e3', '80a'])('the port %j is rejected', (value) => {
    expect(() => portArgument(value)).toThrow('Pass a port');
  });
});

describe('countArgument', () => {
  test.each([
    ['0', 0],
    ['9999', 9999],
  ])('the count %s is accepted', (value, count) => {
    expect(countArgument(value)).toBe(count);
  });

  test.each(['', '-1', '10000', '1.5'])('the count %j is rejected', (value) => {
    expect(() => countArgument(value)).toThrow('Pass a number');
  });
});
