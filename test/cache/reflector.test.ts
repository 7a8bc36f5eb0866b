import { describe, expect, test } from '@jest/globals';
import { ConnectionError } from '../../src/client/connection-error.js';
import { widget } from './objects.js';
import { paged, refused, setup, watching } from './reflector-setup.js';
import { refusal } from './scripted-client.js';

describe('Reflector listing by stream', () => {
  test('a streamed list requests a consistent list of its scope as the first events of a watch, with bookmarks', async () => {
    const { client } = await setup();
    expect(client.history).toEqual(['stream']);
    expect(client.last.request).toMatchObject({
      namespace: 'ns',
      labelSelector: 'app=x',
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
      keepManagedFields: false,
    });
    expect(client.last.request.resourceVersion).toBeUndefined();
  });

  test('a streamed list calls no handlers before the bookmark that ends the initial events', async () => {
    const { client, seen, after } = await setup();
    await after(() => {
      client.last.send('ADDED', widget('a', 10));
    });
    expect(seen).toEqual([]);
    await after(() => {
      client.last.bookmark(20, 'true');
    });
    expect(seen).toEqual(['add a@10', 'replaced']);
  });

  test('changes among the initial events of a streamed list are applied', async () => {
    const { client, seen } = await setup();
    for (const name of ['a', 'b']) client.last.send('ADDED', widget(name, 10));
    client.last.send('DELETED', widget('a', 19));
    client.last.send('MODIFIED', widget('b', 20));
    client.last.bookmark(20, 'true');
    expect(seen).toEqual(['add b@20', 'replaced']);
  });

  test('changes after a streamed list are received on the same stream', async () => {
    const { client, seen, versions } = await watching();
    client.last.send('MODIFIED', widget('a', 21));
    client.last.send('DELETED', widget('a', 22));
    client.last.bookmark(30);
    expect(seen).toEqual(['update a@10→21', 'delete a@22']);
    expect(versions.resourceVersion).toBe('30');
    expect(client.history).toEqual(['stream']);
  });

  test.each([400, 405, 406, 415, 422])(
    'the reflector lists in pages from now on when a streamed list is answered with %d',
    async (code) => {
      const { client, seen, after, warn } = await setup();
      await after(() => {
        client.last.fail(refusal(code));
      });
      await after(() => {
        client.last.answer(20, widget('a', 10));
      });
      expect(seen).toEqual(['add a@10', 'replaced']);
      expect(client.history).toEqual(['stream', 'list', 'watch@20']);
      expect(warn).not.toHaveBeenCalled();
    },
  );

  test('the reflector lists in pages also the next time when the server rejected a streamed list', async () => {
    const { client, clock, after } = await paged();
    await after(() => {
      client.last.fail(refusal(410, 'Expired'));
    });
    await clock.advance(800);
    expect(client.history.slice(1)).toEqual(['list', 'watch@20', 'list']);
  });

  test.each([429, 500, 503])(
    'the reflector requests a streamed list again when it is answered with %d',
    async (code) => {
      const { client, clock, after } = await setup();
      await after(() => {
        client.last.fail(refusal(code));
      });
      await clock.advance(800);
      expect(client.history).toEqual(['stream', 'stream']);
    },
  );

  test('a streamed list that is cut off before its end bookmark does not count as synced and is read in pages once', async () => {
    const { client, clock, seen, after } = await setup();
    client.last.send('ADDED', widget('a', 10));
    await after(() => {
      client.last.fail(refused);
    });
    await clock.advance(800);
    expect(client.history).toEqual(['stream', 'list']);
    expect(seen).toEqual([]);
    await after(() => {
      client.last.answer(20, widget('b', 11));
    });
    expect(seen).toEqual(['add b@11', 'replaced']);
    expect(client.history).toEqual(['stream', 'list', 'watch@20']);
  });

  test('the reflector lists in pages when the stream ends without an error before its end bookmark', async () => {
    const { client, clock, seen, after } = await setup();
    client.last.send('ADDED', widget('a', 10));
    await after(() => {
      client.last.end();
    });
    await clock.advance(800);
    await after(() => {
      client.last.answer(20, widget('a', 10));
    });
    expect(seen).toEqual(['add a@10', 'replaced']);
    expect(client.history).toEqual(['stream', 'list', 'watch@20']);
  });

  test('the reflector lists in pages when the server does not respond to the request for a streamed list', async () => {
    const { client, clock, after } = await setup();
    await after(() => {
      client.last.fail(new ConnectionError('timeout', { reason: 'timeout', host: 'x' }));
    });
    await clock.advance(800);
    expect(client.history).toEqual(['stream', 'list']);
  });

  test('each third attempt is a list in pages when streamed lists fail before their first event', async () => {
    const { client, clock, seen, after } = await setup();
    for (const waitMs of [800, 1600, 3200, 6400, 12_800]) {
      await after(() => {
        client.last.fail(refused);
      });
      await clock.advance(waitMs);
    }
    expect(client.history).toEqual(['stream', 'stream', 'list', 'stream', 'stream', 'list']);
    await after(() => {
      client.last.answer(20, widget('a', 10));
    });
    expect(seen).toEqual(['add a@10', 'replaced']);
    await after(() => {
      client.last.fail(refusal(410, 'Expired'));
    });
    await clock.advance(25_600);
    expect(client.history.slice(6)).toEqual(['watch@20', 'stream']);
  });

  test('the reflector lists in pages when the end bookmark has no resourceVersion', async () => {
    const { client, clock, seen, after } = await setup();
    client.last.send('ADDED', widget('a', 10));
    await after(() => {
      client.last.bookmark('', 'true');
    });
    await clock.advance(800);
    expect(seen).toEqual([]);
    expect(client.history).toEqual(['stream', 'list']);
  });

  test('the store is not changed by a list without a resourceVersion', async () => {
    const { client, clock, seen, status, after } = await paged();
    await after(() => {
      client.last.fail(refusal(410, 'Expired'));
    });
    await clock.advance(800);
    await after(() => {
      client.last.answer('');
    });
    expect(seen).toEqual([]);
    expect(status.lastError?.message).toBe('the list of widgets.example.com has no resourceVersion');
    await clock.advance(1600);
    expect(client.history.slice(-2)).toEqual(['list', 'list']);
  });

  test('the reflector requests a streamed list again after a list in pages that replaced a broken stream', async () => {
    const { client, clock, after } = await setup();
    client.last.send('ADDED', widget('a', 10));
    await after(() => {
      client.last.fail(refused);
    });
    await clock.advance(800);
    await after(() => {
      client.last.answer(20);
    });
    await after(() => {
      client.last.fail(refusal(410, 'Expired'));
    });
    await clock.advance(1600);
    expect(client.history).toEqual(['stream', 'list', 'watch@20', 'stream']);
  });

  test.each([undefined, 'false'])(
    'a bookmark annotated %p does not end a streamed list, and the reflector lists in pages',
    async (annotation) => {
      const { client, clock, seen, after } = await setup();
      await after(() => {
        client.last.bookmark(20, annotation);
      });
      await clock.advance(800);
      expect(seen).toEqual([]);
      expect(client.history).toEqual(['stream', 'list']);
    },
  );

  test('the reflector lists in pages when no initial event arrives for 30 s', async () => {
    const { client, clock, after } = await setup();
    await after(() => {
      client.last.send('ADDED', widget('a', 10));
    });
    await clock.advance(30_800);
    expect(client.history).toEqual(['stream', 'list']);
    expect(client.calls[0]!.isOpen).toBe(false);
  });
});

describe('Reflector that cannot list', () => {
  test('the reflector repeats a failed list without end, after 0.8 s to 30 s', async () => {
    const { client, clock, after } = await setup();
    for (const delay of [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]) {
      await after(() => {
        client.last.fail(refused);
      });
      const calls = client.calls.length;
      await clock.advance(delay - 1);
      expect(client.calls).toHaveLength(calls);
      await clock.advance(1);
      expect(client.calls).toHaveLength(calls + 1);
    }
  });

  test('the reflector repeats the list of a kind that is not served at least every 2 s', async () => {
    const { client, clock, after } = await setup();
    for (let i = 0; i < 10; i++) {
      await after(() => {
        client.last.fail(refusal(404, 'NotFound', 'the server could not find the requested resource'));
      });
      await clock.advance(2000);
      expect(client.calls).toHaveLength(i + 2);
    }
  });

  test('the reason of a failed list is logged once, and again when it changes', async () => {
    const { client, clock, status, warn, after } = await setup();
    for (const error of [refused, refused, refusal(403, 'Forbidden', 'widgets is forbidden'), refused]) {
      await after(() => {
        client.last.fail(error);
      });
      expect(status.lastError).toBe(error);
      await clock.advance(30_000);
    }
    expect(warn.mock.calls.map(([message]) => message)).toEqual([
      'cannot list widgets.example.com: cannot reach 127.0.0.1:6443: connection refused',
      'cannot list widgets.example.com: widgets is forbidden',
    ]);
  });

  test('a successful list is logged, and the next failure is logged again', async () => {
    const { client, clock, status, warn, info, after } = await setup();
    await after(() => {
      client.last.fail(refused);
    });
    await clock.advance(800);
    client.last.initial(20);
    expect(info).toHaveBeenCalledTimes(1);
    expect(status.lastError).toBeUndefined();
    await after(() => {
      client.last.fail(refused);
    });
    expect(warn).toHaveBeenCalledTimes(2);
  });

  test('the last error is cleared as soon as the server accepts the watch', async () => {
    const { client, clock, status, after } = await paged();
    await after(() => {
      client.last.fail(refused);
    });
    await clock.advance(800);
    expect(status.lastError).toBe(refused);
    client.last.accept();
    expect(status.lastError).toBeUndefined();
  });
});

describe('Reflector that is stopped', () => {
  test.each(['listing', 'watching', 'waiting'])(
    'a reflector that is stopped while %s ends and leaves no timer',
    async (activity) => {
      const { client, clock, abort, running, after } = await (activity === 'watching' ? watching() : setup());
      if (activity === 'waiting') {
        await after(() => {
          client.last.fail(refused);
        });
      }
      abort.abort(new Error('stop'));
      await running;
      expect(clock.pending).toBe(0);
      expect(client.calls).toHaveLength(1);
    },
  );
});

test('the time limit of lists grows while lists are too slow', async () => {
  const { client, clock, after } = await setup();
  const slow = new ConnectionError('no response', { reason: 'timeout', host: '127.0.0.1:6443' });
  const limits: unknown[] = [];
  for (let attempt = 0; attempt < 6; attempt++) {
    limits.push((client.last.request as { readonly timeout?: number }).timeout);
    await after(() => {
      client.last.fail(slow);
    });
    await clock.advance(30_000);
  }
  expect(limits).toEqual([undefined, 60_000, 120_000, 240_000, 300_000, 300_000]);
});
