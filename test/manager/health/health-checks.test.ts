import { describe, expect, test } from '@jest/globals';
import { Pod } from 'kindwright';
import { RecordingLogger } from 'kindwright/testing';
import { FakeClock } from '../../../src/base/fake-clock.js';
import { HealthChecks } from '../../../src/manager/health/health-checks.js';
import { probes } from '../../../src/manager/health/probes.js';
import type { Routes } from '../../../src/manager/http-endpoint.js';

function checked(hasSynced = true) {
  const clock = new FakeClock();
  const logger = new RecordingLogger();
  const checks = new HealthChecks(clock, logger);
  const routes: Routes = checks.routes(
    probes(() => [{ kind: Pod, namespace: undefined, hasSynced, lastError: undefined }]),
  );
  const get = async (url: string) => {
    const answer = await routes[url.split('?', 1)[0] ?? '']?.({ url } as never, new AbortController().signal);
    return answer && [answer.status, answer.text];
  };
  const messages = () => logger.lines.map(({ level, message }) => `${level} ${message}`);
  return { checks, clock, get, messages, logger };
}

describe('health checks of an operator', () => {
  test('without health checks the probes are unchanged', async () => {
    const { get } = checked();
    expect(await get('/healthz')).toEqual([200, 'ok\n']);
    expect(await get('/readyz?verbose')).toEqual([200, 'ok\n']);
    expect(await get('/readyz/database')).toBeUndefined();
  });

  test('a health check affects one probe only, and has a path of its own', async () => {
    const { checks, get } = checked();
    checks.add('/healthz', 'loop', () => undefined);
    checks.add('/readyz', 'database', () => Promise.reject(new Error('refused')));
    checks.add('/readyz', 'queue', () => Promise.resolve());
    expect(await get('/healthz')).toEqual([200, 'ok\n']);
    expect(await get('/healthz?verbose')).toEqual([200, '[+]loop ok\nok\n']);
    expect(await get('/healthz/loop')).toEqual([200, 'ok\n']);
    expect(await get('/readyz')).toEqual([503, '[-]database failed: reason withheld\n[+]queue ok\n']);
    expect(await get('/readyz/queue')).toEqual([200, 'ok\n']);
    expect(await get('/readyz/database')).toEqual([503, '[-]database failed: reason withheld\n']);
    expect(await get('/readyz/loop')).toBeUndefined();
  });

  test('health checks do not make a process ready while caches have not synced', async () => {
    const { checks, get } = checked(false);
    checks.add('/readyz', 'database', () => undefined);
    expect(await get('/readyz')).toEqual([503, 'the cache of pods has not synced\n']);
  });

  test('the time limit of a health check is a duration, and its name of earlier versions is an error', () => {
    const { checks } = checked();
    const add = (options: object) => checks.add('/readyz', 'database', () => undefined, options);
    expect(() => add({ timeout: 'soon' })).toThrow('timeout soon is not a duration');
    expect(() => add({ timeoutMs: 5 })).toThrow(
      expect.objectContaining({ code: 'E_RENAMED', hint: "write timeout: '500ms'" }),
    );
  });

  test('each change of a health check is logged with its name, without the error', async () => {
    const { checks, get, logger, messages } = checked();
    let error: Error | undefined = new Error('password hunter2 rejected');
    checks.add('/readyz', 'database', () => {
      if (error !== undefined) throw error;
    });
    expect(await get('/readyz')).toEqual([503, '[-]database failed: reason withheld\n']);
    error = new TypeError('hunter2');
    await get('/readyz');
    error = undefined;
    expect(await get('/readyz')).toEqual([200, 'ok\n']);
    await get('/readyz');
    expect(messages()).toEqual([
      'warn The check database of /readyz failed',
      'info The check database of /readyz succeeds again',
    ]);
    expect(JSON.stringify(logger.lines)).not.toContain('hunter2');
  });

  test('a health check fails at its time limit, with an aborted signal, until its call has ended', async () => {
    const { checks, clock, get, messages } = checked();
    const calls: { signal: AbortSignal; end: () => void }[] = [];
    checks.add('/healthz', 'slow', (signal) => new Promise((end) => void calls.push({ signal, end })), {
      timeout: 300,
    });
    const first = get('/healthz');
    const second = get('/healthz');
    await clock.advance(299);
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([false]);
    await clock.advance(1);
    const failed = [503, '[-]slow failed: reason withheld\n'];
    expect([await first, await second]).toEqual([failed, failed]);
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true]);
    expect(await get('/healthz')).toEqual(failed);
    expect(calls).toHaveLength(1);
    calls[0]?.end();
    await clock.advance(0);
    const third = get('/healthz');
    expect(calls).toHaveLength(2);
    calls[1]?.end();
    expect(await third).toEqual([200, 'ok\n']);
    expect(messages()).toEqual([
      'warn The check slow of /healthz failed',
      'info The check slow of /healthz succeeds again',
    ]);
  });

  test.each(['', '../metrics', 'a b', '-a', 'a/b'])("a health check cannot have the name '%s'", (name) => {
    expect(() => checked().checks.add('/readyz', name, () => undefined)).toThrow(
      `cannot add the check '${name}' to /readyz: the name must consist of`,
    );
  });

  test('two health checks of one path cannot have the same name', () => {
    const { checks } = checked();
    checks.add('/readyz', 'database', () => undefined);
    checks.add('/healthz', 'database', () => undefined);
    expect(() => checks.add('/readyz', 'database', () => undefined)).toThrow('another check has this name');
  });
});
