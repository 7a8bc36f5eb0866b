import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { changedPath, snapshot } from '../../../src/resource/instances/snapshot.js';

class Port {
  name = 'web';
  open = (): void => undefined;
}

describe('changedPath', () => {
  test('changedPath returns undefined for an unchanged value', () => {
    fc.assert(
      fc.property(fc.anything({ withDate: true, maxDepth: 3 }), (value) => {
        expect(changedPath(snapshot(value), value, 'spec')).toBeUndefined();
      }),
    );
  });

  test.each<[string, (spec: ReturnType<typeof make>) => unknown, string]>([
    ['a member', (spec) => (spec.ports[1]!.name = 'db'), 'spec.ports[1].name'],
    ['a list', (spec) => spec.ports.pop(), 'spec.ports'],
    ['a date in place', (spec) => spec.at.setTime(5), 'spec.at'],
    ['a removed member', (spec) => Reflect.deleteProperty(spec, 'at'), 'spec.at'],
    ['a type', (spec) => Object.assign(spec, { ports: {} }), 'spec.ports'],
    ['null', (spec) => Object.assign(spec, { at: null }), 'spec.at'],
  ])('changedPath returns %s that changed', (_, change, path) => {
    const spec = make();
    const before = snapshot(spec);
    change(spec);
    expect(changedPath(before, spec, 'spec')).toBe(path);
  });

  test('changedPath ignores members that are undefined, and functions', () => {
    const spec = make();
    const before = snapshot(spec);
    Object.assign(spec, { nothing: undefined });
    spec.ports[0]!.open = () => undefined;
    expect(changedPath(before, spec, 'spec')).toBeUndefined();
  });
});

function make() {
  return { ports: [new Port(), new Port()], at: new Date(0) };
}
