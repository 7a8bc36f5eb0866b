import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { parseYaml } from '../../src/base/yaml.js';
import { untilInitialized } from '../controlplane/until-initialized.js';
import { replyBody } from './reply-body.js';

export interface ApiReply {
  readonly code: number;
  readonly body: unknown;
  readonly warning?: string;
  /** The content type of the body. */
  readonly type?: string;
}

export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  /** Besides those of the types and of the user. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface WatchEvent {
  readonly type: string;
  readonly object: unknown;
}

/** A watch to open: the path with its query. */
export interface WatchCall {
  readonly path: string;
  readonly accept?: string;
}

interface ReplyMetadata {
  readonly resourceVersion?: string;
  readonly continue?: string;
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: Record<string, string> }[];
  readonly users: readonly { readonly user: Record<string, string> }[];
}

/** An API server to send raw requests to: the embedded or the real one, by its kubeconfig. */
export class ApiEndpoint {
  private readonly agent: Agent;
  private readonly ca: string;
  private readonly certificate: { readonly cert?: string; readonly key?: string };
  private readonly token: string | undefined;
  private readonly server: string;
  private readonly versions = new Map<string, string>();
  private readonly continues = new Map<string, string>();

  constructor(kubeconfig: string) {
    const { clusters, users } = parseYaml(readFileSync(kubeconfig, 'utf8'), kubeconfig) as Kubeconfig;
    const [cluster, user] = [clusters[0]!.cluster, users[0]!.user];
    const read = (from: Record<string, string>, key: string): string | undefined => {
      if (from[key] !== undefined) return readFileSync(from[key], 'utf8');
      const data = from[`${key}-data`];
      return data === undefined ? undefined : Buffer.from(data, 'base64').toString();
    };
    const [cert, key] = [read(user, 'client-certificate'), read(user, 'client-key')];
    const ca = read(cluster, 'certificate-authority')!;
    this.ca = ca;
    this.certificate = { ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) };
    this.agent = new Agent({ keepAlive: true, ca, ...this.certificate });
    this.token = user.token;
    this.server = cluster.server!;
  }

  /**
   * Sends a request. `$version` in its body is replaced by the last resourceVersion of the object in a response of this
   * server, `$continue` in its path by the last continue token of the collection.
   */
  async send(call: ApiCall): Promise<ApiReply> {
    const { method, body, contentType = 'application/json', accept = 'application/json', headers = {} } = call;
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const object = objectOf(call);
    const path = call.path.replace('$continue', this.continues.get(object) ?? '');
    const sent = text?.replaceAll('$version', this.versions.get(object) ?? '1');
    const reply = await untilInitialized(() => this.exchange({ method, path, contentType, accept, headers }, sent));
    this.remember(object, call, reply.body);
    return reply;
  }

  private remember(object: string, { method, path }: ApiCall, reply: unknown): void {
    const { metadata = {} } = (reply as { metadata?: ReplyMetadata } | null) ?? {};
    const { resourceVersion } = metadata;
    if (metadata.continue) this.continues.set(object, metadata.continue);
    if (resourceVersion === undefined || resourceVersion === '' || path.includes('dryRun=All') || method === 'DELETE')
      return;
    this.versions.set(object, resourceVersion);
  }

  private exchange(
    { method, path, contentType, accept, headers: more }: Omit<Required<ApiCall>, 'body'>,
    text: string | undefined,
  ): Promise<ApiReply> {
    const headers = {
      accept,
      'user-agent': 'fidelity/1',
      ...more,
      ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
      ...(text !== undefined && { 'content-type': contentType, 'content-length': Buffer.byteLength(text) }),
    };
    return new Promise((resolve) => {
      // A server that panics hangs up: that is its reply.
      const hungUp = ({ message }: Error): void => {
        resolve({ code: 0, body: message });
      };
      const call = request(new URL(path, this.server), { method, headers, agent: this.agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const { warning, 'content-type': type = '' } = response.headers;
          const body = replyBody(Buffer.concat(chunks), type);
          resolve({ code: response.statusCode ?? 0, type, body, ...(warning !== undefined && { warning }) });
        });
        response.on('error', hungUp);
      });
      call.on('error', hungUp);
      call.end(text);
    });
  }

  /** Reads the body of a document as it is sent. */
  async download(path: string, accept: string): Promise<Buffer> {
    const headers = { accept, ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }) };
    const call = request(new URL(path, this.server), { headers, agent: this.agent }).end();
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    const chunks = (await response.toArray()) as Buffer[];
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`);
    return Buffer.concat(chunks);
  }

  /** Watches a collection; the listener is called for each event, until the returned function is called. */
  watch(path: string, onEvent: (event: WatchEvent) => void, parameters: Record<string, string> = {}): () => void {
    const query = new URLSearchParams({ watch: '1', ...parameters }).toString();
    const headers = this.token === undefined ? {} : { authorization: `Bearer ${this.token}` };
    const call = request(
      new URL(`${path}?${query}`, this.server),
      { headers, ca: this.ca, ...this.certificate },
      (response) => {
        response.on('error', () => undefined); // it is cut off in the end
        let rest = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          const lines = (rest + chunk).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) onEvent(JSON.parse(line) as WatchEvent);
        });
      },
    );
    call.on('error', () => undefined);
    call.end();
    return () => call.destroy();
  }

  /**
   * Watches a collection; the listener is called for each event, until the returned function is called.
   *
   * Resolves when the server has responded: later changes are reported.
   */
  follow({ path, accept = 'application/json' }: WatchCall, onEvent: (event: WatchEvent) => void): Promise<() => void> {
    const headers = { accept, ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }) };
    const options = { headers, ca: this.ca, ...this.certificate, agent: false } as const;
    return new Promise((resolve, reject) => {
      const call = request(new URL(path, this.server), options, (response) => {
        response.on('error', () => undefined); // it is cut off in the end
        let rest = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          const lines = (rest + chunk).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) onEvent(JSON.parse(line) as WatchEvent);
        });
        resolve(() => call.destroy());
      });
      call.on('error', reject);
      call.end();
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

/** The object of a request: its path without query and subresource, or the path of the object that it creates. */
function objectOf({ method, path, body }: ApiCall): string {
  const [plain = ''] = path.split('?');
  if (method !== 'POST') return plain.replace(/\/(status|scale|finalize|ephemeralcontainers|resize|approval)$/, '');
  const { name = '' } = (body as { metadata?: { name?: string } | null } | undefined)?.metadata ?? {};
  return `${plain}/${name}`;
}
