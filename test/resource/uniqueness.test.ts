import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Diagnostics } from '../../src/resource/diagnostics.js';
import { UniqueNames } from '../../src/resource/uniqueness.js';
import type { FinalizerMethod } from '../../src/resource/kinds/finalizers.js';

class Target {}

type Named = Parameters<UniqueNames['collectModel']>[0];

const word = fc.constantFrom('a', 'b', 'c');
const named: fc.Arbitrary<Named> = fc.record({
  target: fc.constant(Target),
  className: word,
  kind: fc.record({
    group: word,
    version: fc.constantFrom('v1', 'v2'),
    kind: word,
    plural: word,
    scope: fc.constant('Namespaced' as const),
  }),
  definesKind: fc.boolean(),
  singular: word,
  shortNames: fc.array(word, { maxLength: 2 }),
  controller: fc.record({ name: word, fieldManager: word }),
  finalizers: fc.array(
    word.map((name) => ({ name }) as FinalizerMethod),
    { maxLength: 2 },
  ),
  isReconciled: fc.boolean(),
  webhooks: fc.array(fc.record({ name: word, path: word, methods: fc.constant([]) }), { maxLength: 1 }),
});

const resourceNames = ({ kind, singular, shortNames }: Named) => [kind.plural, singular, ...shortNames];
const finalizerNames = ({ finalizers }: Named) => finalizers.map(({ name }) => name);
const names = ({ webhooks }: Named) => webhooks.map(({ name }) => name);
const paths = ({ webhooks }: Named) => webhooks.map(({ path }) => path);
const doShare = (a: readonly string[], b: readonly string[]) => a.some((name) => b.includes(name));

/** The rules, for two classes. */
function doClash(a: Named, b: Named): boolean {
  const isSameGroup = a.kind.group === b.kind.group;
  const isSameKind = isSameGroup && a.kind.kind === b.kind.kind;
  const doDefine = a.definesKind && b.definesKind;
  if (doDefine && isSameKind) return a.kind.version === b.kind.version;
  if (doDefine && isSameGroup && doShare(resourceNames(a), resourceNames(b))) return true;
  return doWebhooksClash(a, b) || doControllersClash(a, b, isSameKind);
}

function doWebhooksClash(a: Named, b: Named): boolean {
  return doShare(names(a), names(b)) || doShare(paths(a), paths(b));
}

function doControllersClash(a: Named, b: Named, isSameKind: boolean): boolean {
  if (!a.isReconciled || !b.isReconciled) return false;
  if (a.controller.name === b.controller.name) return true;
  if (!isSameKind) return false;
  return a.controller.fieldManager === b.controller.fieldManager || doShare(finalizerNames(a), finalizerNames(b));
}

function isClash(names: UniqueNames, model: Named): boolean {
  const diagnostics = new Diagnostics();
  names.collectModel(model, diagnostics);
  try {
    diagnostics.throwIfAny();
    return false;
  } catch {
    return true;
  }
}

describe('UniqueNames', () => {
  test('UniqueNames finds a clash exactly when two classes share a name that must be unique', () => {
    fc.assert(
      fc.property(fc.array(named, { maxLength: 4 }), named, (present, model) => {
        const names = new UniqueNames();
        for (const owner of present) names.add(owner);
        expect(isClash(names, model)).toBe(present.some((owner) => doClash(owner, model)));
      }),
      { numRuns: 1000 },
    );
  });

  test('UniqueNames frees the names of a deleted class, and no others', () => {
    fc.assert(
      fc.property(named, named, named, (kept, deleted, next) => {
        const [all, without] = [new UniqueNames(), new UniqueNames()];
        for (const model of [deleted, kept]) all.add(model);
        all.delete(deleted);
        without.add(kept);
        expect(isClash(all, next)).toBe(isClash(without, next));
      }),
    );
  });
});
