import { describe, expect, test } from '@jest/globals';
import { BodyCollector } from '../../../src/client/http/body-collector.js';
import { ResponseHead } from '../../../src/client/http/response-head.js';

const FLOW = { pause: () => undefined, resume: () => undefined, abort: () => undefined };
const LIST = { name: 'items', parse: (text: string) => JSON.parse(text) as unknown };

function collect(text: string, { status = 200, type = 'application/json', pieceBytes = 3 } = {}) {
  const collector = new BodyCollector(1000, undefined, LIST);
  collector.onHead(new ResponseHead(`HTTP/1.1 ${status} X\r\ncontent-type: ${type}`), FLOW);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) collector.onBody(bytes.subarray(at, at + pieceBytes));
  const { body, elements } = collector.response();
  return { body, elements };
}

describe('BodyCollector with a list', () => {
  test('elements are parsed as they arrive, with characters across pieces', () => {
    const text = '{"metadata":{"continue":"ü"},"items":[{"name":"größe 🙂"},{"name":"b"}]}';
    expect(collect(text)).toEqual({
      body: '{"metadata":{"continue":"ü"},"items":[]}',
      elements: [{ name: 'größe 🙂' }, { name: 'b' }],
    });
  });

  test('the response of a failed request, and one that is not JSON, are collected as they are', () => {
    const text = '{"items":[1]}';
    expect(collect(text, { status: 500 })).toEqual({ body: text, elements: undefined });
    expect(collect(text, { type: 'text/html' })).toEqual({ body: text, elements: undefined });
  });

  test('an element that is not JSON ends the request', () => {
    expect(() => collect('{"items":[{"a":1},{"a":}]}')).toThrow(SyntaxError);
  });

  test('a body that exceeds the limit is an error', () => {
    expect(() => collect(`{"items":[${'1,'.repeat(600)}1]}`)).toThrow('the response is longer than 1000 bytes');
  });
});
