import type { Chooser } from './chooser.js';
import { DETAILED } from './detailed-kinds.js';
import type { RandomKind } from './random-kind.js';

/** In a separate namespace, because a controller of the real server writes Events about Services. */
export const EVENTS = 'fidelity-events';
const TIME = '2026-01-01T00:00:00.000000Z';

function common(choose: Chooser): object {
  return {
    ...choose.maybe(0.6, { reason: choose.pick(['Made', 'Made', 'Lost', '']) }),
    ...choose.maybe(0.9, { type: choose.pick(['Normal', 'Normal', 'Warning', 'Odd']) }),
    ...choose.maybe(0.6, { eventTime: choose.pick([TIME, TIME, null]) }),
    ...choose.maybe(0.7, { action: choose.pick(['Doing', 'x'.repeat(129)]) }),
    ...choose.maybe(0.7, { reportingInstance: 'one' }),
    ...choose.maybe(0.2, {
      series: { count: choose.pick([2, 1]), ...choose.maybe(0.8, { lastObservedTime: TIME }) },
    }),
  };
}

const about = (choose: Chooser): object => ({
  kind: 'Pod',
  name: choose.pick(['a', 'b']),
  ...choose.maybe(0.9, { namespace: choose.pick([DETAILED, DETAILED, DETAILED, 'other']) }),
});

const core: RandomKind = {
  title: 'Event',
  apiVersion: 'v1',
  kind: 'Event',
  plural: 'events',
  namespace: DETAILED,
  fieldSelectors: ['involvedObject.name=a', 'reason=Made', 'type!=Normal'],
  body: (choose) => ({
    involvedObject: about(choose),
    ...common(choose),
    ...choose.maybe(0.6, { reportingComponent: choose.pick(['a/b', 'b c']) }),
    ...choose.maybe(0.5, { message: choose.pick(['m', 'x'.repeat(1025)]) }),
    ...choose.maybe(0.3, {
      source: { component: 'c' },
      count: choose.pick([1, 2]),
      firstTimestamp: '2026-01-01T00:00:00Z',
    }),
  }),
  change: (choose) => choose.pick<object>([{ count: 3 }, { message: 'n' }, { involvedObject: { namespace: 'other' } }]),
  operations: (choose) => [{ op: 'add', path: '/reason', value: choose.pick(['Made', 1]) }],
};

const NAMED = ['regarding', 'note'] as const;

const events: RandomKind = {
  ...core,
  title: 'Event (events.k8s.io)',
  apiVersion: 'events.k8s.io/v1',
  namespace: EVENTS,
  fieldSelectors: ['regarding.name=a', 'reason=Made'],
  body: (choose) => ({
    [NAMED[0]]: {
      kind: 'Pod',
      name: choose.pick(['a', 'b']),
      ...choose.maybe(0.9, { namespace: choose.pick([EVENTS, 'other']) }),
    },
    ...common(choose),
    ...choose.maybe(0.8, { reportingController: choose.pick(['a/b', 'a/b', 'b c']) }),
    ...choose.maybe(0.5, { [NAMED[1]]: choose.pick(['m', 'x'.repeat(1025)]) }),
    ...choose.maybe(0.1, { deprecatedCount: 1, deprecatedSource: { component: 'c' } }),
  }),
  change: (choose) =>
    choose.pick<object>([
      { series: { count: choose.pick([3, 1]), lastObservedTime: TIME } },
      { note: 'n' },
      { type: 'Warning' },
    ]),
};

export const EVENT_KINDS: readonly RandomKind[] = [core, events];
