import { beforeEach, describe, expect, test } from '@jest/globals';
import { AlreadyExistsError, ApiError, ForbiddenError, NotFoundError } from 'kindwright';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { ConnectionError } from '../../../src/client/connection-error.js';
import type { Client } from '../../../src/client/client.js';
import type { EventMessage } from '../../../src/controller/context/event-correlator.js';
import { EventRecorder } from '../../../src/controller/context/event-recorder.js';
import { WriteFencedError } from '../../../src/controller/write/write-fence.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';

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
const refusal = { status: 400, reason: '', request: { method: 'POST', path: '/' } };
const unreachable = new ConnectionError('cannot reach the server', { reason: 'refused', host: 'server' });

let clock: FakeClock;
let logger: RecordingLogger;
let sent: { readonly verb: string; readonly body: Record<string, unknown>; readonly namespace: string }[];
/** Called with each write before it is taken; may throw or wait. */
let fault: (verb: string) => void | Promise<void>;
let mayWrite: boolean;
let recorder: EventRecorder;

beforeEach(() => {
  clock = new FakeClock();
  logger = new RecordingLogger();
  sent = [];
  fault = () => undefined;
  mayWrite = true;
  const take = async (verb: string, body: Record<string, unknown>, namespace: string) => {
    await fault(verb);
    sent.push({ verb, body, namespace });
  };
  const client = {
    create: (_kind: unknown, event: { metadata: { namespace: string } }) =>
      take('create', event, event.metadata.namespace),
    patch: (_kind: unknown, _name: string, patch: Record<string, unknown>, options: { namespace: string }) =>
      take('patch', patch, options.namespace),
  } as unknown as Client;
  const fence = () => {
    if (!mayWrite) throw new WriteFencedError('not leading');
  };
  recorder = new EventRecorder({ client, clock, logger, fence, random: () => 0.5 });
});

const settle = () => clock.advance(0);

describe('EventRecorder', () => {
  test('a recorded event has all fields that events.k8s.io requires', async () => {
    const related = { ...about, name: 'child', uid: 'u2' };
    recorder.record(say('all is well', { related }));
    await settle();
    expect(sent).toEqual([
      {
        verb: 'create',
        namespace: 'team',
        body: {
          metadata: { name: expect.stringMatching(/^web\.[0-9a-f]+$/), namespace: 'team' },
          ...{ regarding: about, related, type: 'Normal', reason: 'Synced', action: 'Reconcile', note: 'all is well' },
          eventTime: '2026-01-01T00:00:00.000000Z',
          reportingController: 'podset',
          reportingInstance: expect.stringMatching(/^podset-/),
        },
      },
    ]);
  });

  test('a repeated message becomes a series of the same event', async () => {
    recorder.record(say('hello'));
    await clock.advance(5000);
    recorder.record(say('hello'));
    await settle();
    expect(sent[1]).toMatchObject({
      verb: 'patch',
      body: { series: { count: 2, lastObservedTime: '2026-01-01T00:00:05.000000Z' } },
    });
  });

  test('the last count of a series is written six minutes after its last message', async () => {
    for (let i = 0; i < 30; i++) recorder.record(say('hello'));
    await clock.advance(359_999);
    expect(sent).toHaveLength(25);
    await clock.advance(1);
    expect(sent).toHaveLength(26);
    expect(sent[25]).toMatchObject({
      verb: 'patch',
      body: { series: { count: 30, lastObservedTime: '2026-01-01T00:00:00.000000Z' } },
    });
    expect(clock.pending).toBe(0);
  });

  test('an expired event is created again with its count', async () => {
    recorder.record(say('hello'));
    await settle();
    fault = (verb) => {
      if (verb === 'patch') throw new NotFoundError('gone', { ...refusal, status: 404 });
    };
    recorder.record(say('hello'));
    await settle();
    expect(sent[1]).toMatchObject({ verb: 'create', body: { series: { count: 2 } } });
  });

  test('events are written in the order in which they were recorded', async () => {
    for (const message of ['one', 'two', 'three']) recorder.record(say(message));
    await settle();
    expect(sent.map(({ body }) => body.note)).toEqual(['one', 'two', 'three']);
  });

  test.each([
    ['letters', 'x', 1024],
    ['umlauts', 'ä', 512],
    ['emoji', '🙂', 256],
  ])('a message of %s is cut at the limit of the API in bytes', async (_, character, length) => {
    recorder.record(say(character.repeat(2000), { reason: 'r'.repeat(200), action: `a${'ä'.repeat(200)}` }));
    await settle();
    expect(sent[0]?.body).toMatchObject({
      note: character.repeat(length),
      reason: 'r'.repeat(128),
      action: `a${'ä'.repeat(63)}`,
    });
  });

  test('a combined event is cut together with its prefix', async () => {
    for (let i = 0; i < 10; i++) recorder.record(say(`${i}${'x'.repeat(2000)}`));
    await settle();
    expect(sent[9]?.body.note).toMatch(/^\(combined from similar events\): 9x+$/);
    expect(sent[9]?.body.note).toHaveLength(1024);
  });

  test('an event without a reason gets one, because the API requires it', async () => {
    recorder.record(say('hello', { reason: '', action: '' }));
    await settle();
    expect(sent[0]?.body).toMatchObject({ reason: 'Unspecified', action: 'Unspecified' });
  });

  test('an event is sent again every 10 s while the server cannot be reached', async () => {
    fault = () => {
      throw unreachable;
    };
    recorder.record(say('hello'));
    await clock.advance(15_000);
    fault = () => undefined;
    await clock.advance(10_000);
    expect(sent).toHaveLength(1);
  });

  // A proxy redirects; 401 while credentials are renewed; 404 without the name of a kind comes from a proxy, or a server
  // that is starting.
  test.each([301, 401, 404, 408, 429, 500, 503, 504])('an event is sent again after a status %d', async (status) => {
    let tries = 0;
    fault = () => {
      tries += 1;
      const Class = status === 404 ? NotFoundError : ApiError;
      if (tries === 1) throw new Class('later', { ...refusal, status });
    };
    recorder.record(say('hello'));
    await clock.advance(10_000);
    expect(sent).toHaveLength(1);
  });

  test('a message is dropped after 12 attempts, and the next one is sent', async () => {
    let tries = 0;
    fault = () => {
      tries += 1;
      if (tries <= 12) throw unreachable;
    };
    recorder.record(say('lost'));
    recorder.record(say('next'));
    await clock.advance(120_000);
    expect(sent.map(({ body }) => body.note)).toEqual(['next']);
    expect(logger.messages('warn')).toEqual(['Event could not be written']);
  });

  test('an event that the server rejects is not sent again', async () => {
    let tries = 0;
    fault = () => {
      tries += 1;
      throw new ForbiddenError('no', { ...refusal, status: 403 });
    };
    recorder.record(say('hello'));
    await clock.advance(60_000);
    expect(tries).toBe(1);
    expect(logger.messages('warn')).toEqual(['Event could not be written']);
  });

  test('a rejection because the namespace is being deleted is not logged', async () => {
    const details = { causes: [{ reason: 'NamespaceTerminating' }] };
    fault = () => {
      throw new ForbiddenError('no', { ...refusal, status: 403, details });
    };
    recorder.record(say('hello'));
    await settle();
    expect(logger.lines).toMatchObject([{ level: 'debug' }]);
  });

  test('an event that exists counts as sent, because its response was lost', async () => {
    fault = () => {
      throw new AlreadyExistsError('there', { ...refusal, status: 409 });
    };
    recorder.record(say('hello'));
    await settle();
    expect(logger.lines).toEqual([]);
  });

  test('at most 1000 messages wait', async () => {
    fault = () => new Promise(() => undefined);
    for (let i = 0; i < 1010; i++) recorder.record(say('hello', { about: { ...about, uid: String(i) } }));
    expect(logger.messages('warn')).toHaveLength(9); // one is being written
  });

  test('a process that does not lead writes no events', async () => {
    mayWrite = false;
    recorder.record(say('hello'));
    await clock.advance(120_000);
    expect(sent).toEqual([]);
    expect(logger.lines).toEqual([]);
  });
});

describe('close', () => {
  test('close waits for recorded events and accepts no further ones', async () => {
    recorder.record(say('before'));
    const closed = recorder.close(3000);
    recorder.record(say('after'));
    await closed;
    expect(sent.map(({ body }) => body.note)).toEqual(['before']);
    expect(clock.pending).toBe(0);
  });

  test('close writes the counts of series that are not finished', async () => {
    for (let i = 0; i < 30; i++) recorder.record(say('hello'));
    await recorder.close(3000);
    expect(sent.at(-1)).toMatchObject({ verb: 'patch', body: { series: { count: 30 } } });
    expect(sent).toHaveLength(26);
    expect(clock.pending).toBe(0);
  });

  test('close stops waiting when its time is over', async () => {
    fault = () => {
      throw unreachable;
    };
    recorder.record(say('lost'));
    let isClosed = false;
    const closed = recorder.close(3000).then(() => (isClosed = true));
    await clock.advance(2999);
    expect(isClosed).toBe(false);
    await clock.advance(1);
    await closed;
    expect(clock.pending).toBe(0);
  });
});
