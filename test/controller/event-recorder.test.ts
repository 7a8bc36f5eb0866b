import { beforeEach, describe, expect, test } from '@jest/globals';
import { AlreadyExistsError, ApiError, ForbiddenError, NotFoundError } from 'kindwright';
import { FakeClock } from '../../src/base/fake-clock.js';
import { ConnectionError } from '../../src/client/connection-error.js';
import type { Client } from '../../src/client/client.js';
import type { EventMessage } from '../../src/controller/event-correlator.js';
import { EventRecorder } from '../../src/controller/event-recorder.js';
import { WriteFencedError } from '../../src/controller/write-fence.js';
import { RecordingLogger } from '../../src/testing/recording-logger.js';

const about = { apiVersion: 'v1', kind: 'Pod', name: 'web', namespace: 'team', uid: 'u1' };
const say = (message: string, change: Partial<EventMessage> = {}): EventMessage => ({
  component: 'podset',
  about,
  type: 'Normal',
  reason: 'Synced',
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
  test('creates an event with all that kubectl shows', async () => {
    recorder.record(say('all is well'));
    await settle();
    expect(sent).toMatchObject([
      {
        verb: 'create',
        namespace: 'team',
        body: {
          involvedObject: about,
          type: 'Normal',
          reason: 'Synced',
          message: 'all is well',
          count: 1,
          firstTimestamp: '2026-01-01T00:00:00Z',
          lastTimestamp: '2026-01-01T00:00:00Z',
          source: { component: 'podset' },
          reportingComponent: 'podset',
        },
      },
    ]);
  });

  test('counts a repeat on the same event', async () => {
    recorder.record(say('hello'));
    await clock.advance(5000);
    recorder.record(say('hello'));
    await settle();
    expect(sent[1]).toMatchObject({
      verb: 'patch',
      body: { message: 'hello', count: 2, lastTimestamp: '2026-01-01T00:00:05Z' },
    });
  });

  test('an expired event is created again with its count', async () => {
    recorder.record(say('hello'));
    await settle();
    fault = (verb) => {
      if (verb === 'patch') throw new NotFoundError('gone', { ...refusal, status: 404 });
    };
    recorder.record(say('hello'));
    await settle();
    expect(sent[1]).toMatchObject({ verb: 'create', body: { count: 2 } });
  });

  test('events are written in the order in which they were recorded', async () => {
    for (const message of ['one', 'two', 'three']) recorder.record(say(message));
    await settle();
    expect(sent.map(({ body }) => body.message)).toEqual(['one', 'two', 'three']);
  });

  test('cuts a message to what the API takes', async () => {
    recorder.record(say('x'.repeat(5000)));
    await settle();
    expect(sent[0]?.body.message).toHaveLength(1024);
  });

  test('tries again every 10 s while the server is away', async () => {
    fault = () => {
      throw unreachable;
    };
    recorder.record(say('hello'));
    await clock.advance(15_000);
    fault = () => undefined;
    await clock.advance(10_000);
    expect(sent).toHaveLength(1);
  });

  test.each([429, 500, 503, 504])('tries again after a status %d', async (status) => {
    let tries = 0;
    fault = () => {
      tries += 1;
      if (tries === 1) throw new ApiError('later', { ...refusal, status });
    };
    recorder.record(say('hello'));
    await clock.advance(10_000);
    expect(sent).toHaveLength(1);
  });

  test('gives a message up after 12 tries and goes on with the next', async () => {
    let tries = 0;
    fault = () => {
      tries += 1;
      if (tries <= 12) throw unreachable;
    };
    recorder.record(say('lost'));
    recorder.record(say('next'));
    await clock.advance(120_000);
    expect(sent.map(({ body }) => body.message)).toEqual(['next']);
    expect(logger.messages('warn')).toEqual(['Event could not be written']);
  });

  test('does not repeat what the server refuses', async () => {
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

  test('says nothing of a refusal because the namespace goes', async () => {
    const details = { causes: [{ reason: 'NamespaceTerminating' }] };
    fault = () => {
      throw new ForbiddenError('no', { ...refusal, status: 403, details });
    };
    recorder.record(say('hello'));
    await settle();
    expect(logger.lines).toMatchObject([{ level: 'debug' }]);
  });

  test('takes an event that is there already for one whose answer was lost', async () => {
    fault = () => {
      throw new AlreadyExistsError('there', { ...refusal, status: 409 });
    };
    recorder.record(say('hello'));
    await settle();
    expect(logger.lines).toEqual([]);
  });

  test('keeps at most 1000 messages waiting', async () => {
    fault = () => new Promise(() => undefined);
    for (let i = 0; i < 1010; i++) recorder.record(say('hello', { about: { ...about, uid: String(i) } }));
    expect(logger.messages('warn')).toHaveLength(9); // one is being written
  });

  test('writes nothing behind the fence', async () => {
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
    expect(sent.map(({ body }) => body.message)).toEqual(['before']);
    expect(clock.pending).toBe(0);
  });

  test('gives up when its time is over', async () => {
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
