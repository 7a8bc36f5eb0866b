import { describe, expect, test } from '@jest/globals';
import { ConnectionError } from '../../src/client/connection-error.js';
import { widget } from './objects.js';
import { paged, refused, setup, watching } from './reflector-setup.js';
import { refusal } from './scripted-client.js';

describe('Reflector listing by stream', () => {
  test('asks for a consistent list of its scope as the first events of the watch, with bookmarks', async () => {
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

  test('shows nothing before the bookmark that ends the initial events', async () => {
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

  test('takes changes among the initial events into account', async () => {
    const { client, seen } = await setup();
    for (const name of ['a', 'b']) client.last.send('ADDED', widget(name, 10));
    client.last.send('DELETED', widget('a', 19));
    client.last.send('MODIFIED', widget('b', 20));
    client.last.bookmark(20, 'true');
    expect(seen).toEqual(['add b@20', 'replaced']);
  });

  test('goes on with changes on the same stream', async () => {
    const { client, seen, versions } = await watching();
    client.last.send('MODIFIED', widget('a', 21));
    client.last.send('DELETED', widget('a', 22));
    client.last.bookmark(30);
    expect(seen).toEqual(['update a@10→21', 'delete a@22']);
    expect(versions.resourceVersion).toBe('30');
    expect(client.history).toEqual(['stream']);
  });

  test.each([400, 405, 406, 415, 422])('lists in pages from now on when that is answered with %d', async (code) => {
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
  });

  test('keeps to pages for the next list, too, when the server refused', async () => {
    const { client, clock, after } = await paged();
    await after(() => {
      client.last.fail(refusal(410, 'Expired'));
    });
    await clock.advance(800);
    expect(client.history.slice(1)).toEqual(['list', 'watch@20', 'list']);
  });

  test.each([429, 500, 503])('tries the stream again when that is answered with %d', async (code) => {
    const { client, clock, after } = await setup();
    await after(() => {
      client.last.fail(refusal(code));
    });
    await clock.advance(800);
    expect(client.history).toEqual(['stream', 'stream']);
  });

  test('is not synced, and lists in pages once, when the stream dies before its end bookmark', async () => {
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

  test('lists in pages when the stream ends without an error before its end bookmark', async () => {
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

  test('lists in pages when the server does not respond to the request for the stream', async () => {
    const { client, clock, after } = await setup();
    await after(() => {
      client.last.fail(new ConnectionError('timeout', { reason: 'timeout', host: 'x' }));
    });
    await clock.advance(800);
    expect(client.history).toEqual(['stream', 'list']);
  });

  test('lists in pages when the end bookmark has no resourceVersion', async () => {
    const { client, clock, seen, after } = await setup();
    client.last.send('ADDED', widget('a', 10));
    await after(() => {
      client.last.bookmark('', 'true');
    });
    await clock.advance(800);
    expect(seen).toEqual([]);
    expect(client.history).toEqual(['stream', 'list']);
  });

  test('keeps the store when a list has no resourceVersion', async () => {
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

  test('lists by stream again once it has listed in pages because a stream died', async () => {
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

  test.each([undefined, 'false'])('is not synced by a bookmark annotated %p; lists in pages', async (annotation) => {
    const { client, clock, seen, after } = await setup();
    await after(() => {
      client.last.bookmark(20, annotation);
    });
    await clock.advance(800);
    expect(seen).toEqual([]);
    expect(client.history).toEqual(['stream', 'list']);
  });

  test('lists in pages when nothing is heard of the initial events for 30 s', async () => {
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
  test('tries for ever, 0.8 s to 30 s apart', async () => {
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

  test('looks for a kind that is not served at least every 2 s', async () => {
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

  test('has no error left as soon as the server accepts the watch', async () => {
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
  test.each(['listing', 'watching', 'waiting'])('ends while %s, with nothing left scheduled', async (activity) => {
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
  });
});
