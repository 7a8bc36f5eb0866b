import { expect, test } from '@jest/globals';
import { defaultName } from '../../src/manager/default-name.js';

test('a default name does not depend on the order of controllers', () => {
  expect(defaultName(['podset', 'helloapp'], '-leader', 63)).toBe('helloapp-podset-leader');
  expect(defaultName(['helloapp', 'podset'], '-leader', 63)).toBe('helloapp-podset-leader');
});

const many = (last: string) => [...Array.from({ length: 99 }, (_, i) => `controller-${String(i)}`), last];

test('a default name has a valid length for any number of controllers', () => {
  expect(defaultName(many('x'), '-shards', 63)).toMatch(/^(?=.{63}$)[a-z0-9-]*-shards$/);
});

test('default names that are cut differ if the controllers differ', () => {
  expect(defaultName(many('x'), '-shards', 63)).not.toBe(defaultName(many('y'), '-shards', 63));
});
