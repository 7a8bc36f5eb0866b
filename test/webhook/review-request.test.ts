import { describe, expect, test } from '@jest/globals';
import { Inject } from '../../src/resource/decorators/inject.js';
import { Kind } from '../../src/resource/decorators/kind.js';
import { Validate } from '../../src/resource/decorators/validate.js';
import type { OperatorError } from '../../src/base/operator-error.js';
import type { Review } from '../../src/resource/review.js';
import { Sized, validating } from './pod-set.js';
import { RecordingLogger } from '../../src/testing/recording-logger.js';
import { reviewRequest } from '../../src/webhook/review-request.js';
import { creation, noReader, reviewed, webhookOf } from './reviewed-kind.js';

class Limits {
  constructor(readonly most: number) {}
}

describe('a validating webhook', () => {
  test('a validating webhook reports all rejections of all methods like violations of the schema', async () => {
    @Kind({ group: 'apps.example.com', version: 'v1' })
    class PodSet extends Sized {
      @Validate() first(review: Review<PodSet>): void {
        review.invalid('spec.size', 'is odd');
        review.invalid('spec.zone', 'is missing');
      }
      @Validate() second(review: Review<PodSet>): void {
        review.invalid('spec.ports[0]', 'is closed');
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

  test('a validating webhook reports a prohibition before other rejections', async () => {
    const webhook = validating((_, review) => {
      review.invalid('spec.size', 'is odd');
      review.forbidden(`is locked by ${review.user.username ?? ''}`);
    });
    const { status } = await reviewed(webhook, creation({ spec: { size: 1 } }));
    expect([status?.code, status?.reason, status?.message]).toEqual([
      403,
      'Forbidden',
      'podsets.apps.example.com "a" is forbidden: is locked by ann',
    ]);
  });

  test('a validating webhook in JavaScript that uses refuse or forbid fails with the name to use instead', async () => {
    const hints: unknown[] = [];
    const webhook = validating((_, review) => {
      const former = review as unknown as { refuse(field: string, message: string): void; forbid(text: string): void };
      for (const call of [() => former.refuse('spec', 'is odd'), () => former.forbid('is locked')])
        try {
          call();
        } catch (error) {
          hints.push((error as OperatorError).hint);
        }
    });
    await reviewed(webhook, creation({ spec: { size: 1 } }));
    expect(hints).toEqual(['write review.invalid(field, message)', 'write review.forbidden(message)']);
  });

  test('a validating webhook splits warnings at line breaks, replaces control characters and cuts long lines', async () => {
    const webhook = validating((_, review) => {
      review.warn(`one "quoted"\r\ntwo\tthree\n\n${'😀'.repeat(300)}`);
    });
    const { warnings } = await reviewed(webhook, creation({ spec: { size: 1 } }));
    expect(warnings).toEqual(['one "quoted"', 'two three', `${'😀'.repeat(255)}…`]);
  });

  test('a validating webhook adds audit annotations, and fails for a key that the API server would reject', async () => {
    const webhook = validating((_, review) => {
      review.audit(review.dryRun ? 'a/b' : 'reason', 'because');
    });
    expect((await reviewed(webhook, creation({ spec: { size: 1 } }))).auditAnnotations).toEqual({ reason: 'because' });
    await expect(reviewed(webhook, creation({ spec: { size: 1 } }, { dryRun: true }))).rejects.toThrow(
      /PodSet\.check: "a\/b" is not a valid key/,
    );
  });

  test('a validating webhook has the old object as an instance, and on DELETE the deleted object as this', async () => {
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

  test('a validating webhook has no name for an object with a generated name, and uses the prefix in messages', async () => {
    const names: unknown[] = [];
    const webhook = validating((_, review) => {
      names.push(review.name);
      review.invalid('spec.size', 'is odd');
    });
    const request = creation({ spec: { size: 1 }, metadata: { generateName: 'a-' } }, { name: '' });
    const { status } = await reviewed(webhook, request);
    expect(names).toEqual([undefined]);
    expect(status?.message).toMatch(/^PodSet\.apps\.example\.com "a-" is invalid/);
  });

  test('a validating webhook must not change the object, which strict mode reports', async () => {
    const webhook = validating(({ spec }) => {
      spec.zone = 'a';
    });
    const request = creation({ spec: { size: 1 } });
    await expect(reviewed(webhook, request)).rejects.toThrow(/PodSet\.check: changed spec\.zone, which is not stored/);
    expect(await reviewed(webhook, request, undefined, false)).toMatchObject({ allowed: true, operations: [] });
  });

  test('a validating webhook logs with the fields of its request', async () => {
    const log = new RecordingLogger();
    const webhook = validating((_, review) => {
      review.log.info('checked');
    });
    const deadline = new AbortController();
    await reviewRequest(webhook, creation({ spec: { size: 1 } }), { reader: noReader, log, deadline, isStrict: false });
    const fields = { webhook: '/validate-apps-example-com-podset', namespace: 'default', name: 'a', uid: 'u1' };
    expect(log.lines).toEqual([expect.objectContaining({ message: 'checked', fields })]);
  });

  test('a validating webhook calls only methods that review the operation', async () => {
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

  test('a validating webhook gets provided values', async () => {
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
  test('a method that throws rejects the request with its name, and counts as a panic only for errors of the program', async () => {
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

  test.each([
    [false, 'false'],
    [{ spec: { size: 2 } }, 'an object'],
  ])('a method that returns %p rejects the request, because its result would be ignored', async (result, shown) => {
    const returning = validating(() => result as unknown as undefined);
    await expect(reviewed(returning, creation({ spec: { size: 1 } }))).rejects.toMatchObject({
      message: `PodSet.check: returned ${shown}, which has no effect`,
      cause: { code: 'E_RESULT' },
    });
    const synchronous = validating(() => undefined);
    (synchronous.model.target.prototype as Record<string, unknown>)['check'] = () => result;
    await expect(reviewed(synchronous, creation({ spec: { size: 1 } }))).rejects.toThrow(
      `PodSet.check: returned ${shown}`,
    );
  });

  test('a method that never ends rejects the request when the signal is aborted', async () => {
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
