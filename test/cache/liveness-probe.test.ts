import { describe, expect, test } from '@jest/globals';
import { widget } from './objects.js';
import { refused, watching } from './reflector-setup.js';
import { refusal } from './scripted-client.js';

describe('LivenessProbe', () => {
  test('a watch that is silent for 30 s is checked by a short watch of the same scope and position', async () => {
    const { client, clock } = await watching();
    await clock.advance(29_999);
    expect(client.history).toEqual(['stream']);
    await clock.advance(1);
    expect(client.history).toEqual(['stream', 'probe@20']);
    expect(client.last.request).toMatchObject({ namespace: 'ns', labelSelector: 'app=x', timeoutSeconds: 2 });
  });

  test('a watch is dead if another one receives an event that it does not, and is resumed without a list', async () => {
    const { client, clock, seen, after } = await watching();
    await clock.advance(30_000);
    await after(() => {
      client.last.send('MODIFIED', widget('a', 21));
    });
    await clock.advance(3000 + 800);
    expect(client.history).toEqual(['stream', 'probe@20', 'watch@20']);
    expect(seen).toEqual([]);
    await after(() => {
      client.last.send('MODIFIED', widget('a', 21));
    });
    expect(seen).toEqual(['update a@10→21']);
  });

  test('a watch lives that receives the event of the check a little later', async () => {
    const { client, clock, after } = await watching();
    await clock.advance(30_000);
    await after(() => {
      client.last.send('MODIFIED', widget('a', 21));
    });
    await clock.advance(2999);
    client.lastStream.send('MODIFIED', widget('a', 21));
    await clock.advance(10_000);
    expect(client.history).toEqual(['stream', 'probe@20']);
  });

  test('a server that does not respond to the check within 10 s makes the watch dead', async () => {
    const { client, clock, warn } = await watching();
    await clock.advance(39_999);
    expect(client.calls[0]!.isOpen).toBe(true);
    await clock.advance(1);
    expect(client.calls.filter(({ isOpen }) => isOpen)).toEqual([]);
    expect(warn.mock.calls[0]![0]).toContain('no response to another watch within 10 s');
    await clock.advance(800);
    expect(client.streams).toEqual(['stream', 'watch@20']);
  });

  test('a watch is dead whose server refuses the connection of the check', async () => {
    const { client, clock, after } = await watching();
    await clock.advance(30_000);
    await after(() => {
      client.last.fail(refused);
    });
    await clock.advance(800);
    expect(client.history).toEqual(['stream', 'probe@20', 'watch@20']);
  });

  test('the reflector lists again without a warning if the check finds that the resourceVersion has expired', async () => {
    const { client, clock, warn, after } = await watching();
    await clock.advance(30_000);
    await after(() => {
      client.last.fail(refusal(410, 'Expired'));
    });
    await clock.advance(800);
    expect(client.history).toEqual(['stream', 'probe@20', 'stream']);
    expect(warn).not.toHaveBeenCalled();
  });

  test.each([429, 500, 503, 403])('a check that the server rejects with %d proves nothing', async (code) => {
    const { client, clock, after } = await watching();
    await clock.advance(30_000);
    await after(() => {
      client.last.fail(refusal(code));
    });
    await clock.advance(30_000);
    expect(client.history).toEqual(['stream', 'probe@20', 'probe@20']);
  });

  test('a live idle watch is checked twice a minute and never reconnected', async () => {
    const { client, clock } = await watching();
    client.endsProbes = true;
    for (let minute = 1; minute <= 60; minute++) {
      await clock.advance(59_999);
      client.lastStream.bookmark(20 + minute);
      await clock.advance(1);
    }
    expect(client.streams).toEqual(['stream']);
    expect(client.calls.length - 1).toBeGreaterThan(30);
  });

  test('a check ends with its watch and is not repeated', async () => {
    const { client, clock, abort, running } = await watching();
    await clock.advance(30_000);
    abort.abort();
    await running;
    expect(client.last.isOpen).toBe(false);
    await clock.advance(600_000);
    expect(client.history).toEqual(['stream', 'probe@20']);
    expect(clock.pending).toBe(0);
  });
});
