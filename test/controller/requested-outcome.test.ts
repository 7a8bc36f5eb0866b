import { expect, test } from '@jest/globals';
import { earlierResult, requestedOutcome } from '../../src/controller/requested-outcome.js';

test.each(['requeue', 'requeueAfter', 'RequeueAfter', 'requeueAfterSeconds'])(
  'a reconcile that returns a delay under the name %s of another SDK is an error with the right name',
  (name) => {
    expect(() => requestedOutcome('Gizmo', { [name]: 5 })).toThrow(
      expect.objectContaining({
        code: 'E_RESULT',
        message: `Gizmo returned ${name}, which has no effect`,
        hint: expect.stringContaining('requeueAfterMs'),
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
  [{ requeueAfterMs: 60_000 }, 30_000],
  [{ requeueAfterMs: 5 }, 5],
  [{ requeueAfterMs: 0 }, 0],
])('of two requested runs the earlier one is taken: %j', (returned, requeueAfterMs) => {
  expect(earlierResult('Gizmo', { requeueAfterMs: 30_000 }, returned)).toEqual({ requeueAfterMs });
});

test('an invalid result is an error also when another run is needed', () => {
  const returned = { requeueAfterMs: NaN };
  expect(() => earlierResult('Gizmo', { requeueAfterMs: 30_000 }, returned)).toThrow('requeueAfterMs NaN');
});
