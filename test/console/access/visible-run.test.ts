import { describe, expect, test } from '@jest/globals';
import { ReviewedVisibility } from '../../../src/console/access/review-visibility.js';
import { visibleCause, visibleOp } from '../../../src/console/access/visible-run.js';
import type { CauseDetail, OpDetail } from '../../../src/console/wire.js';

/** Sees config maps everywhere, and pods in namespace a. */
const visibility = new ReviewedVisibility(
  false,
  new Map<string, 'all' | Set<string>>([
    ['ConfigMap', 'all'],
    ['Pod', new Set(['a'])],
  ]),
);
const kindOf = (controller: string) => (controller === 'pods' ? 'Pod' : 'ConfigMap');
const changes = [{ path: 'spec', to: 'hidden' }];

describe('a user who does not see everything', () => {
  test('sees a cause without the hidden object', () => {
    const cause: CauseDetail = {
      type: 'event',
      text: '@Watches(Pod) update b/hidden (spec)',
      source: '@Watches(Pod)',
      event: 'update',
      object: { kind: 'Pod', namespace: 'b', name: 'hidden', uid: 'hidden' },
      changes,
      byRun: { id: 'hidden', controller: 'pods', object: 'b/hidden', isSame: false },
    };
    expect(visibleCause(cause, visibility, kindOf)).toEqual({
      ...{ type: 'event', text: '@Watches(Pod) update', source: '@Watches(Pod)', event: 'update' },
    });
    const visible = { ...cause, object: { kind: 'Pod', namespace: 'a', name: 'seen' } };
    expect(visibleCause(visible, visibility, kindOf)).toEqual({
      ...{ type: 'event', text: '@Watches(Pod) update a/seen', source: '@Watches(Pod)', event: 'update', changes },
      object: visible.object,
    });
    const { byRun: _, ...alone } = visible;
    expect(visibleCause(alone, visibility, kindOf)).toBe(alone);
  });

  test.each<[string, Partial<OpDetail>, boolean]>([
    ['a write of a visible object', { do: 'apply', kind: 'Pod', namespace: 'a', name: 'seen', changes }, true],
    ['a write of a hidden object', { do: 'apply', kind: 'Pod', namespace: 'b', name: 'hidden', changes }, false],
    ['a write of a kind that was not reviewed', { do: 'apply', kind: 'Secret', namespace: 'a', name: 'hidden' }, false],
    ['a list of one namespace', { do: 'list', kind: 'Pod', namespace: 'a', found: 2 }, true],
    ['a list of all namespaces', { do: 'list', kind: 'Pod', found: 2 }, false],
    ['an object of cluster scope', { do: 'get', kind: 'Node', name: 'hidden' }, false],
    ['an Event of the object itself', { do: 'event', reason: 'Scaled' }, true],
  ])('sees %s as a whole or without its name and fields', (_, partial, isWhole) => {
    const op = { atMs: 1, ms: 2, error: 'hidden', ...partial } as OpDetail;
    const shown = visibleOp(op, visibility);
    if (isWhole) expect(shown).toBe(op);
    else expect(shown).toEqual({ do: op.do, kind: op.kind, atMs: 1, ms: 2, isDiffDropped: true });
  });
});
