import type { Chooser } from './chooser.js';
import type { RandomKind } from './random-kind.js';

type Spec = (choose: Chooser) => object;

const KEYS = ['x', 'y', 'z'];

function kindOf(kind: string, spec: Spec, more: Partial<RandomKind> = {}): RandomKind {
  return {
    title: `CRD ${kind}`,
    apiVersion: 'fidelity.example.com/v1',
    kind,
    plural: `${kind.toLowerCase()}s`,
    isCustom: true,
    subresources: ['status'],
    body: (choose) => ({
      ...choose.maybe(0.97, { spec: spec(choose) }),
      ...choose.maybe(0.1, { status: { note: 's' } }),
    }),
    change: (choose) => ({ spec: { ...spec(choose), [choose.pick(Object.keys({ size: 0, ...spec(choose) }))]: null } }),
    operations: (choose) => [
      { op: choose.pick(['add', 'replace', 'remove', 'test']), path: '/spec/size', value: choose.pick([1, 2, 'x']) },
    ],
    status: (choose) => ({ note: choose.pick(['one', 'two', 3]) }),
    ...more,
  };
}

const widget: Spec = (choose) => {
  const port = () => ({
    ...choose.maybe(0.95, { port: choose.pick([1, 2, 3]) }),
    ...choose.maybe(0.4, { protocol: choose.pick(['TCP', 'UDP']) }),
    ...choose.maybe(0.4, { note: choose.pick(['n', 'm']) }),
  });
  return {
    ...choose.maybe(0.97, { size: choose.pick([0, 1, 4, 7, 12]) }),
    ...choose.maybe(0.4, { mode: choose.pick(['fast', 'slow']) }),
    ...choose.maybe(0.4, { ports: choose.pick([[port()], [port(), port()], []]) }),
    ...choose.maybe(0.3, { tags: choose.pick([['a'], ['b', 'a'], ['a', 'a'], []]) }),
    ...choose.maybe(0.3, { values: { [choose.pick(KEYS)]: choose.pick(['v', 'w']) } }),
    ...choose.maybe(0.2, { free: { [choose.pick(KEYS)]: choose.pick([1, [1, 2], { a: null }]) } }),
    ...choose.maybe(0.1, { unknown: true }),
  };
};

const plain: Spec = (choose) => ({
  ...choose.maybe(0.95, { size: choose.pick([1, 2, 1.5, '3']) }),
  ...choose.maybe(0.5, { note: choose.pick(['a', 'b', null]) }),
  ...choose.maybe(0.1, { unknown: { a: 1 } }),
});

const defaulted: Spec = (choose) => ({
  ...choose.maybe(0.4, { size: choose.pick([1, 2, 0, null]) }),
  ...choose.maybe(0.3, { ratio: choose.pick([1, 0.25, 0, -1]) }),
  ...choose.maybe(0.3, { on: choose.pick([true, false, 'yes']) }),
  ...choose.maybe(0.4, { nested: choose.pick([{}, { mode: 'b' }, { mode: 'c' }, { deep: {} }, null]) }),
  ...choose.maybe(0.4, { items: choose.pick([[{}], [{ hint: null }, { name: 'm' }], [{}, {}, {}], []]) }),
  ...choose.maybe(0.3, { maybe: choose.pick([null, 'there']) }),
});

const ruled: Spec = (choose) => ({
  ...choose.maybe(0.6, { min: choose.pick([0, 1, 5, -1]) }),
  ...choose.maybe(0.6, { max: choose.pick([0, 1, 5]) }),
  ...choose.maybe(0.5, { fixed: choose.pick(['one', 'one', 'one', 'two', 'longer than ten']) }),
  ...choose.maybe(0.4, { names: choose.pick([['a'], ['ab', 'ac'], ['b'], ['a', 'b', 'a', 'b', 'a']]) }),
});

const listed: Spec = (choose) => {
  const pair = () => ({
    ...choose.maybe(0.95, { key: choose.pick(KEYS) }),
    ...choose.maybe(0.6, { value: choose.pick(['1', '2']) }),
    ...choose.maybe(0.3, { weight: choose.pick([1, 2]) }),
  });
  return {
    ...choose.maybe(0.6, { pairs: choose.pick([[pair()], [pair(), pair()], []]) }),
    ...choose.maybe(0.5, { set: choose.pick([[1], [2, 1], [1, 1], [3, 2], []]) }),
    ...choose.maybe(0.4, { atomic: choose.pick([[pair()], [pair(), pair()]]) }),
    ...choose.maybe(0.4, { atomicMap: { [choose.pick(KEYS)]: choose.pick(['1', '2']) } }),
    ...choose.maybe(0.4, { map: { [choose.pick(KEYS)]: choose.pick([{ a: '1' }, { b: 2 }, {}, { b: 'x' }]) } }),
  };
};

const loose: Spec = (choose) => ({
  ...choose.maybe(0.4, { port: choose.pick([80, 'http', true]) }),
  ...choose.maybe(0.4, { any: choose.pick([{ known: 'a' }, { b: { c: [1, { d: null }] } }, { known: 1 }, {}]) }),
  ...choose.maybe(0.3, { when: choose.pick(['2026-01-01T00:00:00Z', 'today']) }),
  ...choose.maybe(0.3, { pattern: choose.pick(['abc', 'abcd', '', 'abcabc']) }),
  ...choose.maybe(0.3, { bounded: choose.pick([{ a: 1 }, {}, { a: 1, b: 2, c: 3 }]) }),
  ...choose.maybe(0.3, { choice: choose.pick([{ a: '1' }, { b: '1' }, {}, { a: '1', b: '2' }]) }),
});

export const CUSTOM_KINDS: readonly RandomKind[] = [
  kindOf('Widget', widget, {
    subresources: ['status', 'scale'],
    fieldSelectors: ['spec.mode=fast', 'spec.mode!=fast'],
  }),
  kindOf('Plain', plain, { subresources: [] }),
  kindOf('Defaulted', defaulted),
  kindOf('Ruled', ruled),
  kindOf('Listed', listed),
  kindOf('Loose', loose),
  kindOf('Versioned', plain, { otherVersions: ['fidelity.example.com/v1beta1', 'fidelity.example.com/v2alpha1'] }),
  kindOf('Wide', plain, { isClusterScoped: true }),
];
