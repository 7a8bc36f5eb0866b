import { describe, expect, test } from '@jest/globals';
import { WatchError } from '../../src/client/watch-error.js';
import { refused, watching } from './reflector-setup.js';
import { refusal, type ScriptedCall } from './scripted-client.js';

describe('RewindCheck', () => {
  test('the reflector lists again after a lost connection to a server that is older: etcd was restored', async () => {
    const { client, clock } = await watching();
    client.version = '15';
    client.last.fail(refused);
    await clock.advance(2000);
    expect(client.history).toEqual(['stream', 'stream']);
  });

  test('the reflector resumes after a lost connection to a server that is not older', async () => {
    const { client, clock } = await watching();
    client.version = '20';
    client.last.fail(refused);
    await clock.advance(2000);
    expect(client.history).toEqual(['stream', 'watch@20']);
  });

  test.each<[string, (last: ScriptedCall) => void]>([
    ['a watch that the server ended early', (last) => last.end()],
    ['a watch that was answered with 503', (last) => last.fail(refusal(503))],
    ['an ERROR event', (last) => last.fail(refusal(500, 'InternalError'))],
    ['an unexpected object', (last) => last.fail(new WatchError('unexpected kind Table', 'malformed'))],
  ])('the reflector lists again after %s if the server is older then', async (_, interrupt) => {
    const { client, clock } = await watching();
    await clock.advance(20_000);
    client.version = '15';
    interrupt(client.lastStream);
    await clock.advance(2000);
    expect(client.streams).toEqual(['stream', 'stream']);
  });

  test.each<[string, (last: ScriptedCall) => void]>([
    ['a watch that has timed out', (last) => last.end()],
    ['429', (last) => last.fail(refusal(429, 'TooManyRequests'))],
  ])('the reflector does not request the version of the server after %s', async (_, end) => {
    const { client, clock } = await watching();
    client.endsProbes = true;
    for (let waited = 0; waited < 300_000; waited += 20_000) {
      await clock.advance(20_000);
      client.lastStream.bookmark(20);
    }
    end(client.lastStream);
    await clock.advance(2000);
    expect(client.streams).toEqual(['stream', 'watch@20']);
    expect(client.versionReads).toBe(0);
  });
});
