import { describe, expect, test } from '@jest/globals';
import { SseParser } from '../../../src/console/ui/sse-parser.js';

const STREAM = [
  ': beat\n\n',
  'id: 7f3.1\nevent: hello\ndata: {"v":1}\n\n',
  'id: 7f3.2\r\nevent: rows\r\ndata: {"rows":\r\ndata: []}\r\n\r\n',
  'event: runs\ndata:without a space\n\n',
  'unknown: x\nretry\n\n',
].join('');

const EVENTS = [
  { id: '7f3.1', type: 'hello', data: '{"v":1}' },
  { id: '7f3.2', type: 'rows', data: '{"rows":\n[]}' },
  { id: '7f3.2', type: 'runs', data: 'without a space' },
];

describe('SseParser', () => {
  test('returns the same events wherever the stream is split', () => {
    for (let first = 0; first <= STREAM.length; first += 1) {
      for (let second = first; second <= STREAM.length; second += 7) {
        const parser = new SseParser();
        const chunks = [STREAM.slice(0, first), STREAM.slice(first, second), STREAM.slice(second)];
        expect(chunks.flatMap((chunk) => parser.push(chunk))).toEqual(EVENTS);
      }
    }
  });

  test('returns an event only when its empty line has arrived', () => {
    const parser = new SseParser();
    expect(parser.push('event: hello\ndata: x\n')).toEqual([]);
    expect(parser.push('\n')).toEqual([{ id: '', type: 'hello', data: 'x' }]);
  });

  test('ignores an event without data, but not its id', () => {
    const parser = new SseParser();
    expect(parser.push('event: hello\n\ndata: x\n\n')).toEqual([{ id: '', type: 'message', data: 'x' }]);
    expect(parser.push('id: 7f3.3\n')).toEqual([]);
    expect(parser.lastId).toBe('');
    expect(parser.push('\n')).toEqual([]);
    expect(parser.lastId).toBe('7f3.3');
  });
});
