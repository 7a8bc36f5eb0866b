import { describe, expect, test } from '@jest/globals';
import { CustomResource } from '../../src/resource/custom-resource.js';
import { Field } from '../../src/resource/decorators/field.js';
import { Inject } from '../../src/resource/decorators/inject.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import { Mutate } from '../../src/resource/decorators/mutate.js';
import { Scale } from '../../src/resource/decorators/scale.js';
import { Validate } from '../../src/resource/decorators/validate.js';
import type { Review } from '../../src/resource/review.js';
import { creation, reviewed, webhookOf } from './reviewed-kind.js';

class Limits {
  constructor(readonly most: number) {}
}

class Port {
  @Field({ format: 'int32' }) number!: number;
  @Field({ optional: true }) name?: string;
}

class Spec {
  @Field({ format: 'int32' }) size!: number;
  @Field({ optional: true }) zone?: string;
  @Field({ optional: true }) since?: Date;
  @Field({ items: Port, optional: true }) ports?: Port[];
}

class Status {
  @Field({ format: 'int32', optional: true }) ready?: number;
}

abstract class Sized extends CustomResource {
  @Field() spec!: Spec;
  @Field() status!: Status;
  helper = (): string => 'not data';

  reconcile(): void {
    return undefined;
  }
}

/** A class `PodSet` whose only webhook runs a method. */
function mutating(run: (object: Sized, review: Review<Sized>) => void | Promise<void>) {
  @Kind({ group: 'apps.example.com', version: 'v1' })
  class PodSet extends Sized {
    @Mutate() async fill(review: Review<PodSet>): Promise<void> {
      await run(this, review);
    }
  }
  return webhookOf(PodSet, 'Mutating');
}

function validating(run: (object: Sized, review: Review<Sized>) => void | Promise<void>) {
  @Kind({ group: 'apps.example.com', version: 'v1' })
  class PodSet extends Sized {
    @Validate({ on: ['CREATE', 'UPDATE', 'DELETE'] }) async check(review: Review<PodSet>): Promise<void> {
      await run(this, review);
    }
  }
  return webhookOf(PodSet, 'Validating');
}

describe('a mutating webhook', () => {
  test('responds with a patch of what the method changed and nothing else', async () => {
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

  test('responds without a patch when nothing changed', async () => {
    const webhook = mutating(({ spec }) => {
      spec.zone = spec.zone ?? 'a';
    });
    expect(await reviewed(webhook, creation({ spec: { size: 1, zone: 'b' } }))).toEqual({
      uid: 'u1',
      allowed: true,
      operations: [],
    });
  });

  test('responds without a patch when it refuses', async () => {
    const webhook = mutating((object, review) => {
      object.spec.zone = 'a';
      review.refuse('spec.size', 'is too large');
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
  ])('fails with an error that names the method when it changes %s', async (_, change, message) => {
    const webhook = mutating((object) => {
      change(object);
    });
    await expect(reviewed(webhook, creation({ spec: { size: 1 } }))).rejects.toThrow(message);
  });

  test('changes labels, annotations, finalizers and owner references', async () => {
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

  test('of the subresource status changes the status alone', async () => {
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

  test('of the subresource scale passes the Scale to a static method', async () => {
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

describe('a validating webhook', () => {
  test('reports all refusals of all methods as a violation of the schema is reported', async () => {
    @Kind({ group: 'apps.example.com', version: 'v1' })
    class PodSet extends Sized {
      @Validate() first(review: Review<PodSet>): void {
        review.refuse('spec.size', 'is odd');
        review.refuse('spec.zone', 'is missing');
      }
      @Validate() second(review: Review<PodSet>): void {
        review.refuse('spec.ports[0]', 'is closed');
      }
    }
    expect(await reviewed(webhookOf(PodSet, 'Validating'), creation({ spec: { size: 1 } }))).toEqual({
      uid: 'u1',
      allowed: false,
      status: {
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        code: 422,
        reason: 'Invalid',
        message:
          'PodSet.apps.example.com "a" is invalid: [spec.size: is odd, spec.zone: is missing, spec.ports[0]: is closed]',
        details: {
          name: 'a',
          group: 'apps.example.com',
          kind: 'PodSet',
          causes: [
            { reason: 'FieldValueInvalid', message: 'is odd', field: 'spec.size' },
            { reason: 'FieldValueInvalid', message: 'is missing', field: 'spec.zone' },
            { reason: 'FieldValueInvalid', message: 'is closed', field: 'spec.ports[0]' },
          ],
        },
      },
      operations: [],
    });
  });

  test('reports a prohibition before refusals', async () => {
    const webhook = validating((_, review) => {
      review.refuse('spec.size', 'is odd');
      review.forbid(`is locked by ${review.user.username ?? ''}`);
    });
    const { status } = await reviewed(webhook, creation({ spec: { size: 1 } }));
    expect([status?.code, status?.reason, status?.message]).toEqual([
      403,
      'Forbidden',
      'podsets.apps.example.com "a" is forbidden: is locked by ann',
    ]);
  });

  test('splits warnings at line breaks, replaces control characters and cuts long lines', async () => {
    const webhook = validating((_, review) => {
      review.warn(`one "quoted"\r\ntwo\tthree\n\n${'😀'.repeat(300)}`);
    });
    const { warnings } = await reviewed(webhook, creation({ spec: { size: 1 } }));
    expect(warnings).toEqual(['one "quoted"', 'two three', `${'😀'.repeat(255)}…`]);
  });

  test('adds audit annotations, and fails for a key that the API server would reject', async () => {
    const webhook = validating((_, review) => {
      review.audit(review.dryRun ? 'a/b' : 'reason', 'because');
    });
    expect((await reviewed(webhook, creation({ spec: { size: 1 } }))).auditAnnotations).toEqual({ reason: 'because' });
    await expect(reviewed(webhook, creation({ spec: { size: 1 } }, { dryRun: true }))).rejects.toThrow(
      /PodSet\.check: "a\/b" is not a valid key/,
    );
  });

  test('has the old object as an instance, and on DELETE the deleted object as this', async () => {
    const seen: unknown[] = [];
    const webhook = validating((object, review) => {
      seen.push([review.operation, object.spec.size, review.old?.spec.size, review.old instanceof Sized]);
    });
    const oldObject = creation({ spec: { size: 1 } }).object;
    await reviewed(webhook, creation({ spec: { size: 2 } }, { operation: 'UPDATE', oldObject }));
    await reviewed(webhook, creation({}, { operation: 'DELETE', object: null, oldObject }));
    expect(seen).toEqual([
      ['UPDATE', 2, 1, true],
      ['DELETE', 1, 1, true],
    ]);
  });

  test('has no name for an object with a generated name, and uses the prefix in messages', async () => {
    const names: unknown[] = [];
    const webhook = validating((_, review) => {
      names.push(review.name);
      review.refuse('spec.size', 'is odd');
    });
    const request = creation({ spec: { size: 1 }, metadata: { generateName: 'a-' } }, { name: '' });
    const { status } = await reviewed(webhook, request);
    expect(names).toEqual([undefined]);
    expect(status?.message).toMatch(/^PodSet\.apps\.example\.com "a-" is invalid/);
  });

  test('calls only methods that review the operation', async () => {
    const called: string[] = [];
    @Kind({ group: 'apps.example.com', version: 'v1' })
    class PodSet extends Sized {
      @Validate({ on: ['CREATE'] }) onCreate(): void {
        called.push('create');
      }
      @Validate({ on: ['DELETE'] }) onDelete(): void {
        called.push('delete');
      }
      @Validate({ subresources: ['status'] }) onStatus(): void {
        called.push('status');
      }
    }
    await reviewed(webhookOf(PodSet, 'Validating'), creation({ spec: { size: 1 } }));
    expect(called).toEqual(['create']);
  });

  test('injects provided values', async () => {
    let refused = false;
    @Kind({ group: 'apps.example.com', version: 'v1' })
    class PodSet extends Sized {
      @Inject(Limits) readonly limits!: Limits;
      @Validate() check(): void {
        refused = this.spec.size > this.limits.most;
      }
    }
    const webhook = webhookOf(PodSet, 'Validating');
    webhook.provided.provide(Limits, new Limits(3));
    await reviewed(webhook, creation({ spec: { size: 4 } }));
    expect(refused).toBe(true);
  });
});

describe('a method that gives no verdict', () => {
  test('rejects with its name, and is a panic for an error of the program only', async () => {
    const broken = validating(() => {
      throw new TypeError('x is not a function');
    });
    await expect(reviewed(broken, creation({ spec: { size: 1 } }))).rejects.toMatchObject({
      method: 'PodSet.check',
      message: 'PodSet.check: x is not a function',
      isPanic: true,
    });
    const failing = validating(() => Promise.reject(new Error('the inventory is unreachable')));
    await expect(reviewed(failing, creation({ spec: { size: 1 } }))).rejects.toMatchObject({ isPanic: false });
  });

  test('that never ends rejects when the signal is aborted', async () => {
    const controller = new AbortController();
    const webhook = validating(async (_, review) => {
      controller.abort(new Error('did not end within 4.8 s'));
      expect(review.signal.aborted).toBe(true);
      await new Promise<never>(() => undefined);
    });
    await expect(reviewed(webhook, creation({ spec: { size: 1 } }), controller.signal)).rejects.toThrow(
      'PodSet.check: did not end within 4.8 s',
    );
  });
});
