import { beforeEach, describe, expect, test } from '@jest/globals';
import { dnsSubdomainErrors } from '../../../src/api/objects/names.js';
import { EventCorrelator, type EventMessage } from '../../../src/controller/context/event-correlator.js';

const about = { apiVersion: 'v1', kind: 'Pod', name: 'web', namespace: 'team', uid: 'u1' };
const say = (message: string, change: Partial<EventMessage> = {}): EventMessage => ({
  component: 'podset',
  about,
  type: 'Normal',
  reason: 'Synced',
  action: 'Reconcile',
  message,
  ...change,
});
const MINUTE = 60_000;
const start = Date.UTC(2026, 0, 1);
let correlator: EventCorrelator;
beforeEach(() => {
  correlator = new EventCorrelator();
});

describe('EventCorrelator', () => {
  test('a repeated message increments the count of its event', () => {
    const first = correlator.correlate(say('hello'), start);
    const second = correlator.correlate(say('hello'), start + MINUTE);
    expect(first).toMatchObject({ count: 1, message: 'hello', firstMs: start, lastMs: start });
    expect(second).toMatchObject({ name: first?.name, count: 2, firstMs: start, lastMs: start + MINUTE });
  });

  test.each<[string, Partial<EventMessage>]>([
    ['reason', { reason: 'Other' }],
    ['type', { type: 'Warning' }],
    ['component', { component: 'other' }],
    ['action', { action: 'Scale' }],
    ['related object', { related: { ...about, uid: 'u3' } }],
    ['object', { about: { ...about, uid: 'u2' } }],
  ])('the same message with another %s is another event', (_, change) => {
    const first = correlator.correlate(say('hello'), start);
    const second = correlator.correlate(say('hello', change), start);
    expect(second?.count).toBe(1);
    expect(second?.name).not.toBe(first?.name);
  });

  test('a message that is repeated more than six minutes after the last one is another event', () => {
    const first = correlator.correlate(say('hello'), start);
    const second = correlator.correlate(say('hello'), start + 6 * MINUTE);
    const third = correlator.correlate(say('hello'), start + 12 * MINUTE + 1);
    expect(second).toMatchObject({ name: first?.name, count: 2 });
    expect(third).toMatchObject({ count: 1, firstMs: start + 12 * MINUTE + 1 });
    expect(third?.name).not.toBe(first?.name);
  });

  test('the last count of an event that was written is returned once, when the series is finished', () => {
    for (let i = 0; i < 30; i++) correlator.correlate(say('hello'), start + i);
    expect(correlator.finished(start + 6 * MINUTE)).toEqual([]);
    expect(correlator.finished(start + 6 * MINUTE + 29)).toMatchObject([
      { event: { message: 'hello' }, series: { count: 30, lastMs: start + 29 } },
    ]);
    expect(correlator.hasUnwritten).toBe(false);
    expect(correlator.unfinished()).toEqual([]);
  });

  test('a count that was written later is not returned again', () => {
    for (let i = 0; i < 26; i++) correlator.correlate(say('hello'), start);
    expect(correlator.hasUnwritten).toBe(true);
    expect(correlator.correlate(say('hello'), start + 5 * MINUTE)).toMatchObject({ count: 27 });
    expect(correlator.hasUnwritten).toBe(false);
  });

  test('an event that was dropped as spam from its first message on is not returned', () => {
    for (let i = 0; i < 25; i++) correlator.correlate(say('hello'), start);
    expect(correlator.correlate(say('other'), start)).toBeUndefined();
    expect(correlator.unfinished()).toEqual([]);
  });

  test('from the tenth similar message on, events are combined', () => {
    const series = Array.from({ length: 12 }, (_, i) => correlator.correlate(say(`pod ${String(i)}`), start + i));
    expect(series.slice(0, 9).map((one) => one?.count)).toEqual(Array(9).fill(1));
    expect(series[9]).toMatchObject({ message: '(combined from similar events): pod 9', count: 1 });
    expect(series[11]).toMatchObject({ message: '(combined from similar events): pod 9', count: 3 });
    expect(series[11]?.name).toBe(series[9]?.name);
  });

  test('events are no longer combined after ten minutes without messages', () => {
    for (let i = 0; i < 12; i++) correlator.correlate(say(`pod ${String(i)}`), start);
    expect(correlator.correlate(say('pod 99'), start + 10 * MINUTE + 1)).toMatchObject({ message: 'pod 99', count: 1 });
  });

  test('25 messages about an object pass immediately, then one in five minutes', () => {
    const pass = (atMs: number) => correlator.correlate(say('hello'), atMs) !== undefined;
    expect(Array.from({ length: 30 }, () => pass(start)).filter(Boolean)).toHaveLength(25);
    expect(pass(start + 5 * MINUTE - 1)).toBe(false);
    expect(pass(start + 5 * MINUTE)).toBe(true);
    expect(pass(start + 5 * MINUTE)).toBe(false);
  });

  test('many messages about one object do not suppress those about another', () => {
    for (let i = 0; i < 30; i++) correlator.correlate(say('hello'), start);
    expect(correlator.correlate(say('hello', { about: { ...about, uid: 'u2' } }), start)).toBeDefined();
  });

  test('names of events are unique within a millisecond and valid for any object name', () => {
    const name = `${'a'.repeat(229)}.${'b'.repeat(20)}`;
    const names = [1, 2].map(
      (uid) => correlator.correlate(say('hello', { about: { ...about, name, uid: String(uid) } }), start)?.name ?? '',
    );
    expect(new Set(names).size).toBe(2);
    for (const one of names)
      expect(one).toMatch(/^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
  });

  test.each(['shop:reader', 'Shop-Reader', 'two words', 'ä', '-a', ''])(
    'the Event about an object with the name %j has a valid name',
    (name) => {
      const series = correlator.correlate(say('hello', { about: { ...about, name } }), start);
      expect(dnsSubdomainErrors(series?.name ?? '')).toEqual([]);
    },
  );

  test('a clock that goes back adds no tokens', () => {
    for (let i = 0; i < 25; i++) correlator.correlate(say('hello'), start);
    expect(correlator.correlate(say('hello'), start - 60 * MINUTE)).toBeUndefined();
  });
});
