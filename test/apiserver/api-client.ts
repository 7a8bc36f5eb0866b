import { readFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:https';
import { EmbeddedApiServer, type EmbeddedApiServerOptions } from '../../src/apiserver/embedded-api-server.js';

export interface Reply {
  readonly code: number;
  readonly body: Json;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A reply as a test reads it: any depth, no ceremony. */
export interface Json {
  readonly [field: string]: Json;
}

/** An embedded server and the raw requests of a test. */
export class TestServer {
  private constructor(readonly server: EmbeddedApiServer) {}

  static async start(options: EmbeddedApiServerOptions = {}): Promise<TestServer> {
    return new TestServer(await EmbeddedApiServer.start({ withoutControllers: true, ...options }));
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
    const text = body === undefined || isRaw ? body : JSON.stringify(body);
    const all = {
      'user-agent': 'test/1',
      'content-type': 'application/json',
      authorization: `Bearer ${this.server.token}`,
      ...headers,
      ...(text !== undefined && { 'content-length': Buffer.byteLength(text) }),
    };
    return new Promise((resolve, reject) => {
      const call = request(new URL(path, this.server.url), { ...this.options(), method, headers: all }, (response) => {
        let received = '';
        response.on('data', (chunk: Buffer) => (received += chunk.toString()));
        response.on('end', () =>
          resolve({ code: response.statusCode ?? 0, body: parse(received), headers: response.headers }),
        );
      });
      call.on('error', reject);
      call.end(text);
    });
  }

  patch(path: string, type: 'merge' | 'json' | 'strategic-merge', body: unknown): Promise<Reply> {
    return this.send('PATCH', path, body, { 'content-type': `application/${type}-patch+json` });
  }

  apply(path: string, manager: string, body: unknown, force = false): Promise<Reply> {
    const query = `fieldManager=${manager}${force ? '&force=true' : ''}`;
    return this.send('PATCH', `${path}?${query}`, body, { 'content-type': 'application/apply-patch+yaml' });
  }

  /** The first `count` events of a watch; the watch ends with them. */
  watch(path: string, count: number): Promise<Json[]> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${this.server.token}` };
      const call = request(new URL(path, this.server.url), { ...this.options(), headers }, (response) => {
        let received = '';
        response.on('error', () => undefined);
        response.on('data', (chunk: Buffer) => {
          received += chunk.toString();
          const lines = received.split('\n').slice(0, -1);
          if (lines.length < count) return;
          resolve(lines.slice(0, count).map((line) => JSON.parse(line) as Json));
          call.destroy();
        });
      });
      call.on('error', reject);
      call.end();
    });
  }

  /** Repeats the request until the response meets the condition. */
  async until(path: string, isWanted: (reply: Reply) => boolean): Promise<Reply> {
    const deadline = performance.now() + 5000;
    for (;;) {
      const reply = await this.send('GET', path);
      if (isWanted(reply)) return reply;
      if (performance.now() > deadline)
        throw new Error(`${path} did not come to what was wanted: ${JSON.stringify(reply.body)}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  private options(): RequestOptions {
    return { ca: this.server.caPem, servername: 'localhost' };
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return { text } as unknown as Json;
  }
}

export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
export const configMap = (name: string, data: object = {}, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});
export const kubeconfigOf = ({ server }: TestServer): string => readFileSync(server.kubeconfig, 'utf8');

/** A string member of a response. */
export const text = (value: Json | undefined): string => value as unknown as string;
