import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { jsonPatch } from '../../src/apiserver/patch/json-patch.js';
import { deepClone } from '../../src/base/deep-clone.js';
import { isJsonObject, type JsonObject } from '../../src/base/json-object.js';
import { parseJson, stringifyJson } from '../../src/base/json.js';
import { setMember } from '../../src/base/set-member.js';
import { jsonPatchBetween } from '../../src/webhook/json-patch-between.js';

/** Without backslashes: see test/fast-check.ts. */
const key = fc.oneof(
  fc.constantFrom('a', 'b', 'init', '__proto__', 'a/b~c', '~1', '', 'constructor', 'ä', '"'),
  fc.string({ maxLength: 3 }).filter((name) => !name.includes('\\')),
);
const leaf = fc.oneof(
  fc.constantFrom(null, true, false, 'x', '', 9_007_199_254_740_993n, -9_223_372_036_854_775_808n),
  fc.integer(),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
  object: fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map(members),
}));
const object = fc.array(fc.tuple(key, value), { maxLength: 4 }).map(members);

function members(entries: readonly [string, unknown][]): JsonObject {
  const made: JsonObject = {};
  for (const [name, member] of entries) setMember(made, name, member);
  return made;
}

/** Changes up to three random places: sets, removes or inserts. */
function mutated(target: JsonObject, steps: readonly [number, string, unknown][]): JsonObject {
  const root = deepClone(target);
  for (const [choice, name, member] of steps) {
    const places = containers(root);
    const place = places[choice % places.length]!;
    if (Array.isArray(place)) {
      if (choice % 3 === 0) place.splice(choice % (place.length + 1), 1);
      else place.splice(choice % (place.length + 1), choice % 2, deepClone(member));
    } else if (choice % 3 === 0) Reflect.deleteProperty(place, name);
    else setMember(place, name, deepClone(member));
  }
  return root;
}

function containers(at: unknown): (unknown[] | JsonObject)[] {
  if (Array.isArray(at)) return [at, ...at.flatMap(containers)];
  return isJsonObject(at) ? [at, ...Object.values(at).flatMap(containers)] : [];
}

/** Adds members as hydration does: to each object, and a whole object to the root. */
function filled(root: JsonObject): JsonObject {
  const copy = deepClone(root);
  if (!Object.hasOwn(copy, 'status')) copy['status'] = {};
  const { status } = copy;
  if (isJsonObject(status) && !Object.hasOwn(status, 'nodes')) status['nodes'] = [];
  for (const each of containers(copy)) if (!Array.isArray(each) && !Object.hasOwn(each, 'init')) each['init'] = 1;
  return copy;
}

const steps = fc.array(fc.tuple(fc.nat(), key, value), { maxLength: 3 });

function apply(raw: JsonObject, before: JsonObject, after: JsonObject): unknown {
  const patch = stringifyJson(jsonPatchBetween(raw, before, after));
  return jsonPatch(raw, parseJson(patch) as []);
}

describe('a patch between two states of an object', () => {
  test('the patch between two objects turns one into the other for any names and integers', () => {
    fc.assert(
      fc.property(object, steps, (raw, changes) => {
        const after = mutated(raw, changes);
        expect(stringifyJson(sorted(apply(raw, raw, after)))).toBe(stringifyJson(sorted(after)));
      }),
      { numRuns: 2000 },
    );
  });

  test('the patch between two objects makes the same change in an object without the members added by hydration', () => {
    fc.assert(
      fc.property(object, steps, (raw, changes) => {
        const before = filled(raw);
        const after = mutated(before, changes);
        const patched = apply(raw, before, after) as JsonObject;
        expect(stringifyJson(sorted(filled(patched)))).toBe(stringifyJson(sorted(filled(after))));
      }),
      { numRuns: 2000 },
    );
  });

  test('the patch between equal objects is empty', () => {
    fc.assert(
      fc.property(object, (raw) => {
        expect(jsonPatchBetween(raw, filled(raw), filled(raw))).toEqual([]);
      }),
    );
  });

  test('a patch adds missing parents with the changed members only', () => {
    expect(jsonPatchBetween({}, { spec: { size: 1 } }, { spec: { size: 1, zone: 'a' } })).toEqual([
      { op: 'add', path: '/spec', value: { zone: 'a' } },
    ]);
  });

  test('a patch escapes names', () => {
    const raw = { metadata: { annotations: { x: '1' } } };
    const after = { metadata: { annotations: { x: '1', 'a/b~c': '2' } } };
    expect(jsonPatchBetween(raw, raw, after)).toEqual([
      { op: 'add', path: '/metadata/annotations/a~1b~0c', value: '2' },
    ]);
  });

  test('a patch changes an item in place and keeps unchanged items of a longer list as they were sent', () => {
    const raw = { ports: [{ name: 'a', unknown: 1 }, { name: 'b' }] };
    const before = {
      ports: [
        { name: 'a', unknown: 1, tls: false },
        { name: 'b', tls: false },
      ],
    };
    const renamed = {
      ports: [
        { name: 'a', unknown: 1, tls: false },
        { name: 'c', tls: false },
      ],
    };
    expect(jsonPatchBetween(raw, before, renamed)).toEqual([{ op: 'replace', path: '/ports/1/name', value: 'c' }]);
    const longer = { ports: [{ name: 'n' }, ...before.ports] };
    expect(jsonPatchBetween(raw, before, longer)).toEqual([
      { op: 'replace', path: '/ports', value: [{ name: 'n' }, ...raw.ports] },
    ]);
  });
});

function sorted(at: unknown): unknown {
  if (Array.isArray(at)) return at.map(sorted);
  if (!isJsonObject(at)) return at;
  return members(
    Object.keys(at)
      .sort()
      .map((name) => [name, sorted(at[name])]),
  );
}
