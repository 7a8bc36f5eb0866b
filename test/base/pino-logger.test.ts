import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { OperatorError } from '../../src/base/operator-error.js';
import { LogThreshold } from '../../src/base/log-threshold.js';
import type { Logger } from '../../src/base/logger.js';
import { createPinoLogger, type PinoLoggerOptions } from '../../src/base/pino-logger.js';

type Options = Pick<PinoLoggerOptions, 'format'> & Partial<PinoLoggerOptions>;

async function written(write: (logger: Logger) => void, options: Options): Promise<string> {
  const destination = new PassThrough();
  const logger = await createPinoLogger({ level: 'info', ...options, destination });
  write(logger);
  await new Promise((resolve) => setImmediate(resolve));
  destination.end();
  return (await text(destination)).replaceAll(/^\[[\d:.]+\] /gm, '');
}

function failedCall(): OperatorError {
  const error = new OperatorError('quota exceeded', { code: 'E_API', hint: 'raise the quota' });
  error.stack = [
    'OperatorError: quota exceeded',
    `    at Client.call (${process.cwd()}/src/client/client.ts:1:1)`,
    `    at X.children (${process.cwd()}/operators/x.ts:20:5)`,
    `    at async X.reconcile (${process.cwd()}/operators/x.ts:15:5)`,
    '    at node:internal/main:1:1',
  ].join('\n');
  return error;
}

describe('a text log', () => {
  test('a text log prints the fields of a line as key=value', async () => {
    const fields = { name: 'a', count: 2, kinds: ['Pod'], note: 'two words', reconcileID: 'e5b0' };
    expect(
      await written((logger) => logger.child({ controller: 'x' }).info('Started', fields), { format: 'text' }),
    ).toBe('INFO: Started controller=x name=a count=2 kinds=["Pod"] note="two words"\n');
  });

  test('a text log prints an error with the frames of user code and the hint', async () => {
    const fields = { attempt: 1, err: failedCall(), hint: 'raise the quota' };
    expect(await written((logger) => logger.error('Reconciler error', fields), { format: 'text' })).toBe(
      [
        'ERROR: Reconciler error attempt=1',
        '    OperatorError: quota exceeded',
        '        at X.children (operators/x.ts:20:5)',
        '        at async X.reconcile (operators/x.ts:15:5)',
        '    hint: raise the quota',
        '',
      ].join('\n'),
    );
  });

  test('a text log prints a repeated error in one line', async () => {
    const fields = { attempt: 4, nextRetry: '80ms', isRepeated: true, err: failedCall(), hint: 'raise the quota' };
    expect(await written((logger) => logger.error('Reconciler error', fields), { format: 'text' })).toBe(
      'ERROR: Reconciler error attempt=4 nextRetry=80ms err="quota exceeded" at operators/x.ts:20:5\n',
    );
  });

  test('a text log prints complete stacks and ids of reconciles at level debug', async () => {
    const output = await written((logger) => logger.error('failed', { err: failedCall(), reconcileID: 'e5b0' }), {
      format: 'text',
      level: 'debug',
    });
    expect(output).toContain('ERROR: failed reconcileID=e5b0\n');
    expect(output).toContain('src/client/client.ts:1:1');
    expect(output).toContain('node:internal/main:1:1');
  });

  test('a text log removes characters that control terminals', async () => {
    const write = (logger: Logger) => logger.error('failed \u001b[2J', { err: new Error('bad\u0007\u009b31m') });
    expect(await written(write, { format: 'text' })).toMatch(/^ERROR: failed \[2J\n {4}Error: bad31m\n/);
  });
});

describe('a JSON log', () => {
  test('a JSON log has an error as fields, without the stack', async () => {
    const output = await written((logger) => logger.error('failed', { err: failedCall() }), { format: 'json' });
    expect(JSON.parse(output)).toEqual({
      level: 'error',
      time: expect.any(String),
      msg: 'failed',
      err: { type: 'OperatorError', message: 'quota exceeded', code: 'E_API', at: 'operators/x.ts:20:5' },
    });
  });

  test('a JSON log has the stack and the causes at level debug', async () => {
    const error = new Error('outer', { cause: new Error('inner') });
    const output = await written((logger) => logger.error('failed', { err: error }), {
      format: 'json',
      level: 'debug',
    });
    expect(JSON.parse(output)).toMatchObject({ err: { stack: expect.stringMatching(/outer[\s\S]*at [\s\S]*inner/) } });
  });
});

describe('any thrown value', () => {
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  const trap = () => {
    throw new Error('trap');
  };
  const hostile = Object.assign(new Error('x'), { name: 'Hostile' });
  Object.defineProperty(hostile, 'message', { get: trap });
  Object.defineProperty(hostile, 'detail', { get: trap, enumerable: true });

  test.each<[string, unknown]>([
    ['a revoked proxy', revoked],
    ['an error with throwing getters', hostile],
    ['undefined', undefined],
    ['a symbol', Symbol('s')],
  ])('any thrown value is logged: %s', async (_, thrown) => {
    for (const format of ['text', 'json'] as const)
      for (const level of ['info', 'debug'] as const)
        expect(await written((logger) => logger.error('failed', { err: thrown }), { format, level })).toMatch(/failed/);
  });

  test('every thrown value is logged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (thrown) => {
        const output = await written((logger) => logger.error('failed', { err: thrown }), { format: 'json' });
        expect(JSON.parse(output)).toMatchObject({ msg: 'failed' });
      }),
      { numRuns: 50 },
    );
  });
});

test('a threshold changes the level of a logger and of its children, and whether stacks are printed', async () => {
  const threshold = new LogThreshold('warn');
  const enabled: unknown[] = [];
  const log = await written(
    (logger) => {
      const child = logger.child({ controller: 'x' });
      for (const level of ['warn', 'debug', 'silent', 'info'] as const) {
        threshold.level = level;
        enabled.push(child.isEnabled?.('info'));
        child.debug(`debug at ${level}`);
        child.info(`info at ${level}`);
        child.error(`error at ${level}`, { err: new Error('boom') });
      }
    },
    { format: 'json', level: threshold },
  );
  expect(enabled).toEqual([false, true, false, true]);
  const lines = log.trim().split('\n');
  const records = lines.map((line) => JSON.parse(line) as { readonly msg: string; readonly err?: object });
  expect(records.map(({ msg }) => msg)).toEqual([
    'error at warn',
    ...['debug at debug', 'info at debug', 'error at debug'],
    ...['info at info', 'error at info'],
  ]);
  const withStack = records.filter(({ err }) => err && 'stack' in err).map(({ msg }) => msg);
  expect(withStack).toEqual(['error at debug']);
});
