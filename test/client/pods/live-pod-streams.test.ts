import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { WebSocketServer } from 'ws';
import { Client, CommandError, ConnectionError, type Access } from 'kindwright';

const server = createServer();
const accesses: Access[] = [];
/** The exit code that the command ends with; undefined: the connection is closed without one. */
let exitCode: number | undefined;
let client: Client;

/** Answers with what stdin held. */
const sockets = new WebSocketServer({ server, handleProtocols: () => 'v5.channel.k8s.io' });
sockets.on('connection', (socket) => {
  const input: Buffer[] = [];
  socket.on('message', (data: Buffer) => {
    if (data[0] === 0) input.push(data.subarray(1));
    if (data[0] !== 255) return;
    const send = (channel: number, text: string) => socket.send(Buffer.from(`${String.fromCharCode(channel)}${text}`));
    send(1, Buffer.concat(input).toString().toUpperCase());
    send(2, 'a warning');
    if (exitCode === undefined) {
      socket.close();
      return;
    }
    const details = { causes: [{ reason: 'ExitCode', message: String(exitCode) }] };
    send(
      3,
      JSON.stringify(
        exitCode === 0 ? { status: 'Success' } : { status: 'Failure', reason: 'NonZeroExitCode', details },
      ),
    );
  });
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const config = {
    server: new URL(`http://127.0.0.1:${String(port)}`),
    namespace: undefined,
    user: 'test',
    source: 'test',
    tls: { insecureSkipVerify: true },
  };
  client = new Client(config, { onAccess: (access) => accesses.push(access) });
});
afterAll(() => {
  client.close();
  sockets.close();
  server.close();
});

const exec = (code: number | undefined) => {
  exitCode = code;
  const options = { signal: new AbortController().signal, namespace: 'shop', beforeWrite: () => undefined };
  return client.podStreams(options).exec('db-0', ['psql'], { stdin: Readable.from(['select ', '1']) });
};

test('a command reads stdin to its end and its output is returned; the permissions are recorded', async () => {
  expect(await exec(0)).toEqual({ stdout: 'SELECT 1', stderr: 'a warning' });
  const recorded = accesses.map(({ verb, resource, namespace }) => `${verb} ${resource} ${String(namespace)}`);
  expect(recorded).toEqual(['get pods/exec shop', 'create pods/exec shop']);
});

test('another exit code than 0 is a CommandError with the code and the output to stderr', async () => {
  const error = await exec(3).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CommandError);
  expect(error).toMatchObject({ exitCode: 3, stderr: 'a warning', message: 'psql in pod db-0 ended with exit code 3' });
});

test('a connection that ends before the command is a ConnectionError', async () => {
  await expect(exec(undefined)).rejects.toBeInstanceOf(ConnectionError);
});

test('a log is complete, also if it is read later than it arrives', async () => {
  const text = Array.from({ length: 20_000 }, (_, index) => `line ${String(index)}\n`).join('');
  server.once('request', (_request, response) => response.end(text));
  const streams = client.podStreams({
    signal: new AbortController().signal,
    namespace: 'shop',
    beforeWrite: () => undefined,
  });
  const log = await streams.logs('web');
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  let read = '';
  for await (const part of log) read += String(part);
  expect(read).toBe(text);
});
