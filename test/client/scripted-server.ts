import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** A request as it came over the wire. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Which connection, counted from 1. */
  readonly connection: number;
}

/** Answers a request with bytes of its own choice. */
export type Script = (request: ReceivedRequest, socket: Socket) => void;

/** A server that sends malformed, late and incomplete responses on demand. */
export class ScriptedServer {
  readonly requests: ReceivedRequest[] = [];
  connections = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly scheme: string,
    private readonly script: Script,
  ) {
    server.on(scheme === 'https' ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.serve(socket);
    });
  }

  static async start(script: Script, tls?: TlsOptions): Promise<ScriptedServer> {
    const server = tls ? createTlsServer(tls) : createTcpServer();
    const scripted = new ScriptedServer(server, tls ? 'https' : 'http', script);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return scripted;
  }

  get url(): URL {
    return new URL(`${this.scheme}://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`);
  }

  /** Connections that are open now. */
  get open(): number {
    return this.sockets.size;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private serve(socket: Socket): void {
    const connection = ++this.connections;
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket)).on('error', () => undefined);
    let received = '';
    socket.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1');
      for (let request = parse(received, connection); request; request = parse(received, connection)) {
        received = received.slice(request.length);
        this.requests.push(request.request);
        this.script(request.request, socket);
      }
    });
  }
}

function parse(text: string, connection: number): { request: ReceivedRequest; length: number } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [requestLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const [method = '', path = ''] = requestLine.split(' ');
  const headers = Object.fromEntries(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const length = end + 4 + Number(headers['content-length'] ?? 0);
  if (text.length < length) return undefined;
  return { request: { method, path, headers, body: text.slice(end + 4, length), connection }, length };
}

/** A complete response with a JSON body. */
export function json(body: unknown, status = 200, headers = ''): string {
  const text = JSON.stringify(body);
  const head = `HTTP/1.1 ${String(status)} X\r\nContent-Type: application/json\r\n${headers}`;
  return `${head}Content-Length: ${String(Buffer.byteLength(text))}\r\n\r\n${text}`;
}

/** A complete response with the metav1.Status of a failure. */
export function failure(code: number, reason: string, message: string, headers = ''): string {
  return json({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code }, code, headers);
}

/** Head of a response of unknown length, to be followed by `chunk`s. */
export const STREAM_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
export const STREAM_END = '0\r\n\r\n';

export function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}
