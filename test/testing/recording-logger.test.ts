import { describe, expect, test } from '@jest/globals';
import { RecordingLogger } from 'kindwright/testing';

describe('a recording logger', () => {
  test('a recording logger keeps the lines of all its children, with the fields of each', () => {
    const logger = new RecordingLogger();
    logger.info('started');
    logger.child({ controller: 'webapp' }).child({ name: 'a' }).error('failed', { attempt: 2 });
    expect(logger.lines).toEqual([
      { level: 'info', message: 'started', fields: {} },
      { level: 'error', message: 'failed', fields: { controller: 'webapp', name: 'a', attempt: 2 } },
    ]);
  });

  test('a recording logger returns the messages of a level', () => {
    const logger = new RecordingLogger();
    logger.warn('careful');
    logger.debug('detail');
    expect([logger.messages(), logger.messages('warn')]).toEqual([['careful', 'detail'], ['careful']]);
  });

  test('a recording logger prints its lines with their fields and errors', () => {
    const logger = new RecordingLogger();
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    logger.info('seen', { name: 'a', labels: { app: 'b' }, text: 'two words', nothing: undefined, big: 1n, cyclic });
    logger.error('Reconciler error', { err: new TypeError('no image') });
    expect(logger.toString().split('\n')).toEqual([
      "info  seen name=a labels={ app: 'b' } text='two words' nothing=undefined big=1n cyclic=<ref *1> { self: [Circular *1] }",
      'error Reconciler error: TypeError: no image',
    ]);
  });
});
