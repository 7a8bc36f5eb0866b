import { expect, test } from '@jest/globals';
import { decodeProtobuf } from '../../../src/apiserver/schema/protobuf.js';

function field(number: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content as string);
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
}

function envelope(kind: string, raw: Buffer): Buffer {
  const type = Buffer.concat([field(1, 'v1'), field(2, kind)]);
  return Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, raw)]);
}

const structFor = (_apiVersion: string, kind: string): string => `core/v1.${kind}`;

test('a message is decoded to the JSON of its kind', () => {
  const entry = Buffer.concat([field(1, 'key'), field(2, 'value')]);
  const message = envelope('ConfigMap', Buffer.concat([field(1, field(1, 'name')), field(2, entry)]));
  expect(decodeProtobuf(message, structFor)).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'name' },
    data: { key: 'value' },
  });
});

test('a truncated message is rejected', () => {
  const message = envelope('ConfigMap', field(1, field(1, 'name')));
  expect(() => decodeProtobuf(message.subarray(0, -2), structFor)).toThrow('unexpected EOF');
});

test('protobuf without the prefix of Kubernetes is rejected', () => {
  expect(() => decodeProtobuf(Buffer.from('{}'), structFor)).toThrow('does not appear to be a protobuf message');
});
