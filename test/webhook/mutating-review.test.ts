import { describe, expect, test } from '@jest/globals';
import { Kind } from '../../src/resource/decorators/kind.js';
import { Mutate } from '../../src/resource/decorators/mutate.js';
import { Scale } from '../../src/resource/decorators/scale.js';
import type { Review } from '../../src/resource/review.js';
import { mutating, Sized } from './pod-set.js';
import { creation, reviewed, webhookOf } from './reviewed-kind.js';

describe('a mutating webhook', () => {
  test('a mutating webhook responds with a patch of the changes of its method and nothing else', async () => {
    const webhook = mutating(({ spec, metadata }) => {
      spec.zone ??= 'a';
      (metadata.annotations ??= {})['example.com/a~b'] = 'yes';
    });
    const spec = { size: 2, since: '2026-01-01T00:00:00.000000Z', unknown: { big: 9_007_199_254_740_993n } };
    expect(await reviewed(webhook, creation({ spec, other: 1 }))).toEqual({
      uid: 'u1',
      allowed: true,
      patchType: 'JSONPatch',
      operations: [
        { op: 'add', path: '/metadata/annotations', value: { 'example.com/a~b': 'yes' } },
        { op: 'add', path: '/spec/zone', value: 'a' },
      ],
    });
  });

  test('a mutating webhook responds without a patch when nothing changed', async () => {
    const webhook = mutating(({ spec }) => {
      spec.zone = spec.zone ?? 'a';
    });
    expect(await reviewed(webhook, creation({ spec: { size: 1, zone: 'b' } }))).toEqual({
      uid: 'u1',
      allowed: true,
      operations: [],
    });
  });

  test('a mutating webhook responds without a patch when it rejects', async () => {
    const webhook = mutating((object, review) => {
      object.spec.zone = 'a';
      review.invalid('spec.size', 'is too large');
    });
    const { allowed, operations } = await reviewed(webhook, creation({ spec: { size: 9 } }));
    expect([allowed, operations]).toEqual([false, []]);
  });

  test.each<[string, (object: Sized) => void, RegExp]>([
    ['the name', ({ metadata }) => (metadata.name = 'b'), /PodSet\.fill: .*changed metadata\.name, which is set by/],
    ['the uid', ({ metadata }) => (metadata.uid = 'b'), /changed metadata\.uid/],
    ['the namespace', ({ metadata }) => delete metadata.namespace, /changed metadata\.namespace/],
    ['managed fields', ({ metadata }) => Object.assign(metadata, { managedFields: [] }), /changed metadata\.managedF/],
    ['the kind', (object) => (object.kind = 'Other'), /changed kind, which identifies the object/],
    ['the status', ({ status }) => (status.ready = 1), /changed status\.ready, which is dropped by the API server/],
    ['an undeclared field', (object) => Object.assign(object.spec, { sizes: 1 }), /Spec has no @Field sizes/],
    ['an undeclared member', (object) => Object.assign(object, { specs: 1 }), /specs, which is not a @Field of PodSet/],
    ['a value without a JSON form', (object) => Object.assign(object.spec, { zone: new Map() }), /spec\.zone is a Map/],
  ])('a mutating webhook fails with an error that names the method when it changes %s', async (_, change, message) => {
    const webhook = mutating((object) => {
      change(object);
    });
    await expect(reviewed(webhook, creation({ spec: { size: 1 } }))).rejects.toThrow(message);
  });

  test('a mutating webhook can change labels, annotations, finalizers and owner references', async () => {
    const webhook = mutating(({ metadata }) => {
      metadata.labels = { a: 'b' };
      metadata.finalizers = ['example.com/a'];
      metadata.ownerReferences = [];
    });
    const { operations } = await reviewed(webhook, creation({ spec: { size: 1 } }));
    expect(operations.map(({ path }) => path)).toEqual([
      '/metadata/labels',
      '/metadata/finalizers',
      '/metadata/ownerReferences',
    ]);
  });

  test('a mutating webhook of the subresource status changes only the status', async () => {
    @Kind({ group: 'apps.example.com', version: 'v1' })
    class PodSet extends Sized {
      @Mutate({ subresources: ['status'] }) fill(review: Review<PodSet>): void {
        this.status.ready = 1;
        if (review.dryRun) this.spec.zone = 'a';
      }
    }
    const request = creation(
      { spec: { size: 1 } },
      { operation: 'UPDATE', subResource: 'status', oldObject: creation({}).object },
    );
    const { operations } = await reviewed(webhookOf(PodSet, 'Mutating'), request);
    expect(operations).toEqual([{ op: 'add', path: '/status', value: { ready: 1 } }]);
    await expect(reviewed(webhookOf(PodSet, 'Mutating'), { ...request, dryRun: true })).rejects.toThrow(
      /changed spec\.zone, which is not part of the subresource status/,
    );
  });

  test('a mutating webhook of the subresource scale passes the Scale to a static method', async () => {
    @Kind({ group: 'apps.example.com', version: 'v1' })
    @Scale({ specReplicasPath: '.spec.size', statusReplicasPath: '.status.ready' })
    class PodSet extends Sized {
      @Mutate({ subresources: ['scale'] }) static limit(scale: { spec: { replicas: number } }, review: Review): void {
        if (review.subresource === 'scale') scale.spec.replicas = Math.min(scale.spec.replicas, 3);
      }
    }
    const scale = (replicas: number) => ({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'a', namespace: 'default' },
      spec: { replicas },
    });
    const request = creation({}, { operation: 'UPDATE', subResource: 'scale', object: scale(9), oldObject: scale(1) });
    const { operations } = await reviewed(webhookOf(PodSet, 'Mutating'), request);
    expect(operations).toEqual([{ op: 'replace', path: '/spec/replicas', value: 3 }]);
  });
});
