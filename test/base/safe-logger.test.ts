import { describe, expect, test } from '@jest/globals';
import { silentLogger, type LogFields, type Logger } from '../../src/base/logger.js';
import { safeLogger } from '../../src/base/safe-logger.js';
import { RecordingLogger } from '../../src/testing/recording-logger.js';

const fail = (): never => {
  throw new Error('disk full');
};
const failing: Logger = { debug: fail, info: fail, warn: fail, error: fail, child: fail };

describe('safeLogger', () => {
  test.each(['debug', 'info', 'warn', 'error'] as const)('safeLogger does not throw when %s throws', (level) => {
    expect(() => {
      safeLogger(failing)[level]('hello', { a: 1 });
      safeLogger(failing).child({ a: 1 })[level]('hello');
      safeLogger({ ...silentLogger, child: () => failing })
        .child({})
        .child({})
        [level]('hello');
    }).not.toThrow();
  });

  test('safeLogger passes lines and fields on, including those of children', () => {
    const recording = new RecordingLogger();
    const logger = safeLogger(recording);
    logger.info('one', { a: 1 });
    logger.child({ b: 2 }).error('two', { c: 3 });
    expect(recording.lines).toMatchObject([
      { level: 'info', message: 'one', fields: { a: 1 } },
      { level: 'error', message: 'two', fields: { b: 2, c: 3 } },
    ]);
  });

  test('safeLogger logs only the message when a field cannot be read', () => {
    const lines: unknown[] = [];
    const reading: Logger = {
      ...silentLogger,
      error: (message, fields: LogFields = {}) => {
        lines.push([message, JSON.stringify(fields)]);
      },
    };
    const err = {
      get message() {
        return fail();
      },
    };
    safeLogger(reading).error('failed', { err });
    expect(lines).toEqual([['failed', '{}']]);
  });

  test('a level is enabled unless the logger is silent or drops its lines', () => {
    const isEnabled = (logger: Logger) => safeLogger(logger).child({}).isEnabled?.('info');
    const dropping = { ...failing, isEnabled: (level: string) => level !== 'info' };
    expect(isEnabled(silentLogger)).toBe(false);
    expect(isEnabled(dropping)).toBe(false);
    expect(safeLogger(dropping).isEnabled?.('error')).toBe(true);
    expect(isEnabled(new RecordingLogger())).toBe(true);
    expect(isEnabled({ ...failing, isEnabled: fail })).toBe(true);
  });

  test('a safe logger is not wrapped again', () => {
    const logger = safeLogger(failing);
    expect(safeLogger(logger)).toBe(logger);
  });
});
