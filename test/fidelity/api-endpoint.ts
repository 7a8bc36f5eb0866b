import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { parseYaml } from '../../src/base/yaml.js';

export interface ApiReply {
  readonly code: number;
  readonly body: unknown;
}

export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: Record<string, string> }[];
  readonly users: readonly { readonly user: Record<string, string> }[];
}

/** An API server to send raw requests to: the embedded or the real one, by its kubeconfig. */
export class ApiEndpoint {
  private readonly agent: Agent;
  private readonly token: string | undefined;
  private readonly server: string;

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
    this.agent = new Agent({
      keepAlive: true,
      ca,
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
    });
    this.token = user.token;
    this.server = cluster.server!;
  }

  send({
    method,
    path,
    body,
    contentType = 'application/json',
    accept = 'application/json',
  }: ApiCall): Promise<ApiReply> {
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const headers = {
      accept,
      'user-agent': 'fidelity/1',
      ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
      ...(text !== undefined && { 'content-type': contentType, 'content-length': Buffer.byteLength(text) }),
    };
    return new Promise((resolve, reject) => {
      const call = request(new URL(path, this.server), { method, headers, agent: this.agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          resolve({ code: response.statusCode ?? 0, body: parse(Buffer.concat(chunks).toString()) });
        });
      });
      call.on('error', reject);
      call.end(text);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
