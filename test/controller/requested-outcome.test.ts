import { expect, test } from '@jest/globals';
import { requestedOutcome } from '../../src/controller/requested-outcome.js';

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
