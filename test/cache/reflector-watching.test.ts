import { describe, expect, test } from '@jest/globals';
import { OperatorError } from '../../src/base/operator-error.js';
import { WatchError } from '../../src/client/watch-error.js';
import { widget } from './objects.js';
import { paged, refused, setup, watching } from './reflector-setup.js';
import { refusal, type ScriptedCall } from './scripted-client.js';

describe('Reflector watching', () => {
  test('the reflector resumes the watch at its last version when the server ends it', async () => {
    const { client, clock, after } = await watching();
    client.last.send('MODIFIED', widget('a', 25));
    await clock.advance(20_000);
    await after(() => {
      client.last.end();
    });
    expect(client.history).toEqual(['stream', 'watch@25']);
  });

  test('the reflector resumes at the last bookmark', async () => {
    const { client, after } = await watching();
    client.last.bookmark(90);
    await after(() => {
      client.last.end();
    });
    expect(client.history).toEqual(['stream', 'watch@90']);
  });

  test.each([
    [0, 300],
    [1, 600],
  ])(
    'the reflector lets the server end each watch after 5 to 10 minutes, at random (%d)',
    async (random, timeoutSeconds) => {
      const { client } = await setup(() => random);
      expect(client.last.request.timeoutSeconds).toBe(timeoutSeconds);
    },
  );

  test('the delay grows each time the watch ends immediately, without a new list', async () => {
    const { client, clock, after } = await paged();
    for (const delay of [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]) {
      await after(() => {
        client.last.end();
      });
      const calls = client.calls.length;
      await clock.advance(delay - 1);
      expect(client.calls.length).toBe(calls);
      await clock.advance(1);
      expect(client.history.at(-1)).toBe('watch@20');
    }
    expect(client.history.filter((call) => call === 'list')).toHaveLength(1);
  });

  test.each<[string, (last: ScriptedCall, version: number) => void]>([
    ['event', (last, version) => last.send('MODIFIED', widget('a', version))],
    ['bookmark', (last, version) => last.bookmark(version)],
  ])('the delay grows, too, if the watch carries one %s before it ends', async (_, send) => {
    const { client, clock, warn, after } = await paged();
    for (const [index, delay] of [800, 1600, 3200, 6400, 12_800, 25_600, 30_000].entries()) {
      await after(() => {
        send(client.last, 30 + index);
        client.last.end();
      });
      const calls = client.calls.length;
      await clock.advance(delay - 1);
      expect(client.calls.length).toBe(calls);
      await clock.advance(1);
      expect(client.history.at(-1)).toBe(`watch@${String(30 + index)}`);
    }
    expect(warn.mock.calls).toEqual([[expect.stringContaining('ended the watch immediately'), expect.anything()]]);
  });

  test.each([
    ['refused connections', refused],
    ['429', refusal(429, 'TooManyRequests')],
    ['401', refusal(401, 'Unauthorized')],
    ['503', refusal(503)],
    ['an error event 500', refusal(500, 'InternalError', 'etcdserver: no leader')],
  ])('the reflector resumes the watch at the same version after %s', async (_, error) => {
    const { client, clock, after } = await paged();
    for (let i = 0; i < 4; i++) {
      await after(() => {
        client.last.fail(error);
      });
      await clock.advance(30_000);
    }
    expect(client.history.slice(1)).toEqual(['list', ...Array<string>(5).fill('watch@20')]);
  });

  test('the reflector does not list again while the server cannot be reached', async () => {
    const { client, clock, after } = await paged();
    for (let i = 0; i < 20; i++) {
      await after(() => {
        client.last.fail(refused);
      });
      await clock.advance(30_000);
    }
    expect(client.history.filter((call) => call === 'list')).toHaveLength(1);
  });

  test('the reflector lists again after five consecutive failures other than connection failures', async () => {
    const { client, clock, after } = await paged();
    for (let i = 0; i < 5; i++) {
      await after(() => {
        client.last.fail(refusal(500));
      });
      await clock.advance(30_000);
    }
    expect(client.history.slice(2)).toEqual([...Array<string>(5).fill('watch@20'), 'list']);
  });

  test.each([
    ['local errors', new OperatorError('the credential plugin failed', { code: 'E_EXEC_PLUGIN' })],
    ['refused connections', refused],
    ['429', refusal(429, 'TooManyRequests')],
  ])(
    'the reflector does not list again because of %s, nor of one failure of the server after them',
    async (_, error) => {
      const { client, clock, after } = await paged();
      for (const each of [...Array<Error>(6).fill(error), refusal(503)]) {
        await after(() => {
          client.last.fail(each);
        });
        await clock.advance(30_000);
      }
      expect(client.history.slice(2)).toEqual(Array<string>(8).fill('watch@20'));
    },
  );

  test.each([undefined, Symbol('s'), Object.create(null) as object])(
    'the reflector resumes the watch after it fails with a value that is not an error (%#)',
    async (value) => {
      const { client, clock, after } = await watching();
      await after(() => {
        client.last.fail(value);
      });
      await clock.advance(2000);
      expect(client.history).toEqual(['stream', 'watch@20']);
    },
  );

  test('an event resets the count of consecutive failures', async () => {
    const { client, clock, after } = await paged();
    for (let i = 1; i <= 8; i++) {
      if (i === 5) client.last.send('MODIFIED', widget('a', 25));
      await after(() => {
        client.last.fail(refusal(500));
      });
      await clock.advance(30_000);
    }
    expect(client.history.filter((call) => call === 'list')).toHaveLength(1);
  });

  test.each([
    ['410', refusal(410, 'Expired')],
    ['a resourceVersion that is too large', refusal(504, 'Timeout', 'x', [{ reason: 'ResourceVersionTooLarge' }])],
    ['an error of the storage', refusal(500, 'StoreReadError')],
    ['a refusal', refusal(403, 'Forbidden')],
    ['an unknown resource', refusal(404, 'NotFound')],
  ])('the reflector lists again after %s', async (_, error) => {
    const { client, clock, seen, after } = await watching();
    await after(() => {
      client.last.fail(error);
    });
    await clock.advance(800);
    expect(client.history).toEqual(['stream', 'stream']);
    await after(() => {
      client.last.initial(40, widget('b', 30));
    });
    expect(seen).toEqual(['delete a@10', 'add b@30', 'replaced']);
  });

  test('the reflector does not log a warning for 410', async () => {
    const { client, warn, after } = await watching();
    await after(() => {
      client.last.fail(refusal(410, 'Expired'));
    });
    expect(warn).not.toHaveBeenCalled();
  });

  test('the reflector waits for Retry-After', async () => {
    const { client, clock, after } = await paged();
    const error = refusal(429, 'TooManyRequests');
    await after(() => {
      client.last.fail(Object.assign(error, { retryAfterMs: 7000 }));
    });
    await clock.advance(6999);
    expect(client.history.at(-2)).toBe('list');
    await clock.advance(1);
    expect(client.history.at(-2)).toBe('watch@20');
  });

  test.each(['list', 'watch'])(
    'the reflector waits for at most a minute when a %s is refused with a long Retry-After',
    async (verb) => {
      const { client, clock, after } = await (verb === 'list' ? setup() : paged());
      await after(() => {
        client.last.fail(Object.assign(refusal(503), { retryAfterMs: 86_400_000 }));
      });
      const calls = client.calls.length;
      await clock.advance(59_999);
      expect(client.calls).toHaveLength(calls);
      await clock.advance(1);
      expect(client.calls).toHaveLength(calls + 1);
    },
  );

  test('the reflector does not list again when watches are refused with 429', async () => {
    const { client, clock, after } = await paged();
    for (let i = 0; i < 20; i++) {
      await after(() => {
        client.last.fail(refusal(429, 'TooManyRequests'));
      });
      await clock.advance(30_000);
    }
    expect(client.history.slice(2)).toEqual(Array<string>(21).fill('watch@20'));
  });

  test('an unexpected object ends the watch, which is resumed after the last valid event', async () => {
    const { client, clock, seen, warn, after } = await watching();
    await after(() => {
      client.last.send('MODIFIED', widget('a', 25));
      client.last.fail(new WatchError('unexpected kind Table', 'malformed'));
    });
    await clock.advance(800);
    expect(client.history).toEqual(['stream', 'watch@25']);
    expect(seen).toEqual(['update a@10→25']);
    expect(warn).toHaveBeenCalledTimes(1);
  });
});

describe('Reflector on a silent watch that missed nothing', () => {
  /** Checks find nothing that was missed. */
  async function quiet(start: typeof watching | typeof paged = watching) {
    const all = await start();
    all.client.endsProbes = true;
    return all;
  }

  test('a silent watch with bookmarks is resumed after 75 s, and listed again when it is silent again', async () => {
    const { client, clock, after } = await quiet();
    await after(() => {
      client.last.bookmark(30);
    });
    await clock.advance(75_800);
    expect(client.streams).toEqual(['stream', 'watch@30']);
    await clock.advance(130_000 + 1600);
    expect(client.streams).toEqual(['stream', 'watch@30', 'stream']);
  });

  test('a watch with a bookmark each minute is not replaced', async () => {
    const { client, clock } = await quiet();
    for (let minute = 1; minute <= 10; minute++) {
      await clock.advance(60_000);
      client.lastStream.bookmark(20 + minute);
    }
    expect(client.streams).toEqual(['stream']);
  });

  test('a watch that skips its first bookmark is not replaced', async () => {
    const { client, clock } = await quiet();
    await clock.advance(121_000);
    client.lastStream.bookmark(30);
    expect(client.streams).toEqual(['stream']);
  });

  test('the end bookmark of a streamed list proves that the server sends bookmarks to later watches too', async () => {
    const { client, clock, after } = await quiet();
    await clock.advance(60_000);
    await after(() => {
      client.lastStream.end();
    });
    await clock.advance(129_999);
    expect(client.streams).toEqual(['stream', 'watch@20']);
    expect(client.lastStream.isOpen).toBe(true);
    await clock.advance(1);
    expect(client.lastStream.isOpen).toBe(false);
  });

  test('a quiet watch without any bookmarks is kept until the time limit of the server', async () => {
    const { client, clock } = await quiet(paged);
    await clock.advance(329_999);
    expect(client.streams.at(-1)).toBe('watch@20');
    expect(client.lastStream.isOpen).toBe(true);
    await clock.advance(1);
    expect(client.lastStream.isOpen).toBe(false);
  });
});
