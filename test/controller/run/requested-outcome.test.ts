import { expect, test } from '@jest/globals';
import type { Result } from 'kindwright';
import { earlierResult, requestedOutcome } from '../../../src/controller/run/requested-outcome.js';

test.each(['requeue', 'requeueAfterMs', 'RequeueAfter', 'requeueAfterSeconds'])(
  'a reconcile that returns a delay under the name %s of another SDK is an error with the right name',
  (name) => {
    expect(() => requestedOutcome('Gizmo', { [name]: 5 })).toThrow(
      expect.objectContaining({
        code: 'E_RESULT',
        message: `Gizmo returned ${name}, which has no effect`,
        hint: expect.stringContaining('requeueAfter'),
      }),
    );
  },
);

test('a result with other members than a delay is done', () => {
  expect(requestedOutcome('Gizmo', { metadata: { name: 'a' } } as object)).toEqual({ type: 'done' });
});

test.each([
  [undefined, 30_000],
  [{}, 30_000],
  [{ requeueAfter: 60_000 }, 30_000],
  [{ requeueAfter: 5 }, 5],
  [{ requeueAfter: '10s' }, 10_000],
  [{ requeueAfter: 0 }, 0],
])('of two requested runs the earlier one is taken: %j', (returned, requeueAfter) => {
  expect(earlierResult('Gizmo', { requeueAfter: 30_000 }, returned)).toEqual({ requeueAfter });
});

test('a result has a priority with a delay only, and one of three', () => {
  expect(requestedOutcome('Gizmo', { requeueAfter: 5, priority: 'high' })).toMatchObject({ priority: 'high' });
  expect(earlierResult('Gizmo', { requeueAfter: 5 }, { requeueAfter: 9, priority: 'low' })).toMatchObject({
    priority: 'low',
  });
  expect(() => requestedOutcome('Gizmo', { priority: 'high' })).toThrow(
    'priority without requeueAfter, which has no effect',
  );
  const urgent = { requeueAfter: 5, priority: 'urgent' } as unknown as Result;
  expect(() => requestedOutcome('Gizmo', urgent)).toThrow('Gizmo returned the priority urgent');
});

test('an invalid result is an error also when another run is needed', () => {
  const returned = { requeueAfter: NaN };
  expect(() => earlierResult('Gizmo', { requeueAfter: 30_000 }, returned)).toThrow('requeueAfter NaN');
});

test.each(['soon', '-5s', -5, Infinity])('a reconcile that returns requeueAfter %p is an error', (requeueAfter) => {
  expect(() => requestedOutcome('Gizmo', { requeueAfter })).toThrow(
    /^Gizmo returned requeueAfter .*, which is not a duration$/,
  );
});
