import { readFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:https';
import { ADMIN, type Workspace } from './workspace.ts';

/** The little of HTTP that starting a cluster needs; a test uses the project's own client. */
export class AdminClient {
  private readonly server: URL;
  private readonly tls: Pick<RequestOptions, 'ca' | 'cert' | 'key'>;

  constructor(server: URL, tls: Pick<RequestOptions, 'ca' | 'cert' | 'key'>) {
    this.server = server;
    this.tls = tls;
  }

  static of({ pki, server }: Workspace): AdminClient {
    const [ca, cert, key] = ['ca.crt', `${ADMIN}.crt`, `${ADMIN}.key`].map((file) => readFileSync(pki.path(file)));
    return new AdminClient(server, { ca, cert, key });
  }

  /** Rejects if the server does not respond with success. */
  async call(method: string, path: string, body?: unknown, accept = 'application/json'): Promise<string> {
    const json = body === undefined ? undefined : JSON.stringify(body);
    const headers = { accept, ...(json !== undefined && { 'content-type': 'application/json' }) };
    const { status, text } = await this.send({ method, path, headers }, json);
    if (status >= 300) throw new Error(`${method} ${path}: ${String(status)} ${text}`);
    return text;
  }

  private send(
    { path, ...rest }: { method: string; path: string; headers: Record<string, string> },
    body: string | undefined,
  ): Promise<{ status: number; text: string }> {
    const options = { ...this.tls, ...rest, agent: false, timeout: 10_000 } as const;
    return new Promise((resolve, reject) => {
      const call = request(new URL(path, this.server), options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
        });
        response.on('error', reject);
      });
      call.on('timeout', () => call.destroy(new Error(`${rest.method} ${path}: no answer`)));
      call.on('error', reject);
      call.end(body);
    });
  }
}
