import { once } from 'node:events';
import { Agent } from 'node:https';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from 'kindwright/testing';
import { AdmissionSuite, text, type Json } from '../admission/admission-suite.js';

const ORIGIN = { origin: 'https://127.0.0.1' };
const MASK = [1, 2, 3, 4];

let suite: AdmissionSuite;
let configMaps: string;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
  configMaps = `/api/v1/namespaces/${await suite.namespace()}/configmaps`;
});
afterAll(() => suite.stop());

const create = (name: string): Promise<Json> =>
  suite.must('POST', configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: { long: 'x'.repeat(70_000) },
  });

/** The messages of a server, one by one. */
async function* frames(socket: Duplex): AsyncGenerator<{ opcode: number; payload: Buffer }> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of socket) {
    bytes = Buffer.concat([bytes, chunk as Buffer]);
    for (;;) {
      const short = bytes[1] ?? 0;
      const start = short === 127 ? 10 : short === 126 ? 4 : 2;
      if (bytes.length < start) break;
      const length = short === 127 ? Number(bytes.readBigUInt64BE(2)) : short === 126 ? bytes.readUInt16BE(2) : short;
      if (bytes.length < start + length) break;
      yield { opcode: bytes[0]! & 0x0f, payload: bytes.subarray(start, start + length) };
      bytes = bytes.subarray(start + length);
    }
  }
}

function masked(opcode: number, payload: string): Buffer {
  const bytes = Buffer.from(payload).map((byte, index) => byte ^ MASK[index % 4]!);
  return Buffer.from([0x80 | opcode, 0x80 | bytes.length, ...MASK, ...bytes]);
}

test('a watch by WebSocket sends each event as a text message and a close frame after its timeout', async () => {
  await create('present');
  const { code, headers, socket } = await suite.openWebSocket(`${configMaps}?watch=true&timeoutSeconds=2`, ORIGIN);
  expect(code).toBe(101);
  expect(headers['sec-websocket-accept']).toBe('s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
  await create('later');
  const received: string[] = [];
  for await (const { opcode, payload } of frames(socket!)) {
    if (opcode === 8) received.push(`closed with ${payload.readUInt16BE()}`);
    if (opcode !== 1) continue;
    expect(payload.at(-1)).toBe('\n'.charCodeAt(0));
    const event = JSON.parse(payload.toString()) as Json;
    const name = text(event.object!.metadata!.name);
    if (name !== 'kube-root-ca.crt') received.push(`${text(event.type)} ${name}`);
  }
  expect(received).toEqual(['ADDED present', 'ADDED later', 'closed with 1000']);
});

test('events in protobuf are binary messages without a length prefix', async () => {
  const more = { ...ORIGIN, accept: 'application/vnd.kubernetes.protobuf' };
  const { socket } = await suite.openWebSocket(`${configMaps}?watch=true&fieldSelector=metadata.name=binary`, more);
  await create('binary');
  for await (const { opcode, payload } of frames(socket!)) {
    expect([opcode, payload.subarray(0, 7).toString()]).toEqual([2, '\n\x05ADDED']);
    break;
  }
});

test('pings of a client are answered, its text is ignored, and its close frame ends the watch', async () => {
  const { socket } = await suite.openWebSocket(`${configMaps}?watch=true&resourceVersion=0&labelSelector=none`, ORIGIN);
  const replies = frames(socket!);
  socket!.write(Buffer.concat([masked(1, 'hello'), masked(9, 'there?')]));
  expect((await replies.next()).value).toEqual({ opcode: 10, payload: Buffer.from('there?') });
  socket!.write(masked(8, ''));
  expect((await replies.next()).value).toMatchObject({ opcode: 8 });
  expect((await replies.next()).done).toBe(true);
});

test('a handshake needs an Origin, a key, the version 13 and one subprotocol at most', async () => {
  const path = `${configMaps}?watch=true`;
  const answer = async (more: Record<string, string>): Promise<unknown[]> => {
    const { code, headers, text: body, socket } = await suite.openWebSocket(path, more);
    socket?.destroy();
    return [code, headers['sec-websocket-protocol'], body];
  };
  expect(await answer({})).toEqual([403, undefined, '']);
  expect(await answer({ ...ORIGIN, 'sec-websocket-version': '8' })).toEqual([
    400,
    undefined,
    'missing or bad WebSocket Version',
  ]);
  expect(await answer({ ...ORIGIN, 'sec-websocket-key': '' })).toEqual([400, undefined, 'mismatch challenge/response']);
  expect(await answer({ ...ORIGIN, 'sec-websocket-protocol': 'a, b' })).toEqual([400, undefined, '']);
  expect(await answer({ ...ORIGIN, 'sec-websocket-protocol': 'a' })).toEqual([101, 'a', undefined]);
});

test('a failed watch by WebSocket is answered with a Status, and other requests are answered as usual', async () => {
  const refused = await suite.openWebSocket(`${configMaps}?watch=true&fieldSelector=data.a=b`, {
    ...ORIGIN,
    connection: 'Upgrade, close',
  });
  expect(refused.code).toBe(400);
  expect(JSON.parse(refused.text!)).toMatchObject({ kind: 'Status', reason: 'BadRequest' });
  const listed = await suite.openWebSocket(configMaps, { ...ORIGIN, connection: 'Upgrade, close' });
  expect(listed.code).toBe(200);
  expect(JSON.parse(listed.text!)).toMatchObject({ kind: 'ConfigMapList' });
});

test('a connection stays open after a rejected watch by WebSocket, and is upgraded by a later one', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const refused = `${configMaps}?watch=true&fieldSelector=data.a=b`;
  for (const isReused of [false, true, true])
    expect(await suite.openWebSocket(refused, ORIGIN, agent)).toMatchObject({ code: 400, isReused });
  const { code, socket } = await suite.openWebSocket(`${configMaps}?watch=true`, ORIGIN, agent);
  expect(code).toBe(101);
  for await (const { opcode } of frames(socket!)) {
    expect(opcode).toBe(1);
    break;
  }
  agent.destroy();
});

test('a browser can send its token as a subprotocol, beside the negotiated one', async () => {
  const namespace = configMaps.split('/')[4]!;
  const account = `/api/v1/namespaces/${namespace}/serviceaccounts/default`;
  const spec = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const token = text((await suite.must('POST', `${account}/token`, spec)).status!.token);
  await suite.must('POST', `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'view' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'ServiceAccount', name: 'default', namespace }],
  });
  const nobody = suite.anonymously();
  const offer = (secret: string, other = ', v1'): Record<string, string> => ({
    ...ORIGIN,
    'sec-websocket-protocol': `base64url.bearer.authorization.k8s.io.${Buffer.from(secret).toString('base64url')}${other}`,
  });
  const path = `${configMaps}?watch=true`;
  // The real server's authoriser learns of the binding by a watch.
  const { headers, socket } = await eventually(async () => {
    const answer = await nobody.openWebSocket(path, offer(token));
    expect(answer.code).toBe(101);
    return answer;
  });
  expect(headers['sec-websocket-protocol']).toBe('v1');
  socket!.destroy();
  await once(socket!, 'close');
  const close = { connection: 'Upgrade, close' };
  expect((await nobody.openWebSocket(path, { ...offer(token, ''), ...close })).code).toBe(401);
  expect((await nobody.openWebSocket(path, { ...offer('wrong'), ...close })).code).toBe(401);
});
