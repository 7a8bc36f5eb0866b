import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatPath, PathSet } from '../../../src/apiserver/apply/path-set.js';

const path = fc.array(fc.constantFrom('f:a', 'f:b', 'k:{"name":"x"}', 'v:1'), { minLength: 1, maxLength: 4 });
const pathSet = fc.array(path, { maxLength: 8 }).map((paths) => {
  const set = new PathSet();
  for (const each of paths) set.insert(each);
  return set;
});
const members = (set: PathSet): Set<string> => new Set([...set.paths()].map((each) => each.join('|')));

describe('a path set', () => {
  test('path sets have the union, intersection and difference of sets', () => {
    fc.assert(
      fc.property(pathSet, pathSet, (a, b) => {
        expect(members(a.union(b))).toEqual(members(a).union(members(b)));
        expect(members(a.intersection(b))).toEqual(members(a).intersection(members(b)));
        expect(members(a.difference(b))).toEqual(members(a).difference(members(b)));
      }),
    );
  });

  test('a formatted path set is parsed again', () => {
    fc.assert(
      fc.property(pathSet, (set) => {
        expect(members(PathSet.fromFieldsV1(set.toFieldsV1()))).toEqual(members(set));
      }),
    );
  });

  test('a path is formatted as in conflicts', () => {
    expect(formatPath(['f:spec', 'f:ports', 'k:{"port":1,"protocol":"TCP"}', 'f:name'])).toBe(
      '.spec.ports[port=1,protocol="TCP"].name',
    );
    expect(formatPath(['f:a', 'k:{"port":{"a":1}}', 'f:b', 'v:["x",2]'])).toBe('.a[port=a=1].b[=["x",2]]');
  });
});
