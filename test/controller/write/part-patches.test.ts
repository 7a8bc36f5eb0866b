import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ConfigMap, ForbiddenError, Pod, partOf, type KindRef, type KubeObject } from 'kindwright';
import { applyMergePatch } from '../../../src/apiserver/patch/apply-merge-patch.js';
import { deepEqual } from '../../../src/base/deep-equal.js';
import { silentLogger } from '../../../src/base/logger.js';
import type { JsonObject } from '../../../src/base/json-object.js';
import { PartPatches } from '../../../src/controller/write/part-patches.js';

const identity = { name: 'x', namespace: 'team', uid: 'ux', resourceVersion: '7' };
const Labels = partOf(Pod, { fields: [] });
const Annotations = partOf(Pod, { fields: ['metadata.annotations', 'spec.tolerations', 'spec.nodeName'] });
const Images = partOf(Pod, { fields: ['spec.containers[*].image'] });

function patchOf(kind: KindRef, before: object, after: object): unknown {
  const object = (fields: object): KubeObject => ({ metadata: identity, ...fields });
  return new PartPatches().create(kind, object(before), object(after));
}

describe('the patch of a part', () => {
  test('contains the changed fields, and the version that was changed', () => {
    const tolerations = [{ operator: 'Exists' }];
    const metadata = { ...identity, annotations: { a: '1' } };
    expect(patchOf(Annotations, { metadata, spec: {} }, { metadata: identity, spec: { tolerations } })).toEqual({
      metadata: { uid: 'ux', resourceVersion: '7', annotations: null },
      spec: { tolerations },
    });
  });

  test.each<[string, KindRef, object, object]>([
    ['a field outside of the part', Annotations, {}, { spec: { hostNetwork: true } }],
    ['annotations that the part does not hold', Labels, {}, { metadata: { ...identity, annotations: {} } }],
    ['the parent of a field of the part', Annotations, { spec: { nodeName: 'n' } }, {}],
    [
      'a list whose items the part does not hold whole',
      Images,
      { spec: { containers: [{ image: 'a' }] } },
      { spec: { containers: [{ image: 'b' }] } },
    ],
    ['null', Annotations, { spec: { nodeName: 'n' } }, { spec: { nodeName: null } }],
    ['the name', Annotations, {}, { metadata: { ...identity, name: 'y' } }],
    ['the version', Annotations, {}, { metadata: { ...identity, resourceVersion: undefined } }],
    [
      'a field of a transformed part',
      partOf(ConfigMap, { fields: ['data'], transform: (map) => map }),
      {},
      { data: { a: '1' } },
    ],
  ])('is not used if the change affects %s', (_, kind, before, after) => {
    expect(patchOf(kind, before, after)).toBeUndefined();
  });

  test('is used again when the permission to update is missing too: that to patch was missing for a moment', () => {
    const patches = new PartPatches();
    const create = () =>
      patches.create(Labels, { metadata: identity }, { metadata: { ...identity, labels: { a: '1' } } });
    const forbidden = (verb: string): ForbiddenError =>
      new ForbiddenError(`pods is forbidden: User "u" cannot ${verb} resource "pods"`, {
        status: 403,
        reason: 'Forbidden',
        request: { method: 'PATCH', path: '/' },
      });
    expect(create()).toBeDefined();
    expect(patches.isForbidden(Labels, forbidden('patch'), silentLogger)).toBe(true);
    expect(create()).toBeUndefined();
    expect(patches.isForbidden(Labels, forbidden('update'), silentLogger)).toBe(false);
    expect(create()).toBeDefined();
  });

  test('leads to the changed part, and leaves all other fields of the object', () => {
    const Data = partOf(ConfigMap, { fields: ['data', 'metadata.annotations'] });
    const names = fc.constantFrom('a', 'b', '__proto__', 'toString');
    const values = fc.dictionary(names, fc.constantFrom('1', '2'), { noNullPrototype: true });
    const fields = fc.record(
      { data: values, labels: values, annotations: values, finalizers: fc.array(names), binaryData: values },
      { requiredKeys: [] },
    );
    const toObject = ({ labels, annotations, finalizers, ...rest }: Record<string, unknown>): KubeObject =>
      JSON.parse(
        JSON.stringify({
          ...{ apiVersion: 'v1', kind: 'ConfigMap' },
          metadata: { ...identity, labels, annotations, finalizers },
          ...rest,
        }),
      ) as KubeObject;
    const held = (object: KubeObject): KubeObject =>
      JSON.parse(JSON.stringify(Data.part?.reduce?.(structuredClone(object)))) as KubeObject;
    fc.assert(
      fc.property(fields, fields, (stored, changes) => {
        const object = toObject(stored);
        const { binaryData: _, ...heldChanges } = changes;
        const after = held(toObject(heldChanges));
        const patch = new PartPatches().create(Data, held(object), after);
        if (!patch) return deepEqual(held(object), after);
        const result = applyMergePatch(object as unknown as JsonObject, patch as JsonObject) as unknown as KubeObject;
        expect(held(result)).toEqual(after);
        expect(result).toEqual({ ...after, ...(stored.binaryData && { binaryData: stored.binaryData }) });
        return true;
      }),
    );
  });
});
