import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import type { Access } from './access.ts';

const [LF, CR] = [10, 13];
const END_OF_CHUNKS = Buffer.from('0\r\n\r\n');

/** What came back, all in one piece: its headers and, if it came in chunks, their lengths too. */
export interface Reply {
  readonly code: number;
  readonly bytes: Buffer;
}

/** HTTP over one TLS connection, with next to no work: the load must not be what is measured. */
export class Connection {
  private readonly socket: TLSSocket;
  private readonly head: string;
  private onData: (chunk: Buffer) => void = () => undefined;

  private constructor(socket: TLSSocket, { server, token }: Access) {
    this.socket = socket;
    const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
    this.head = `Host: ${server.host}\r\nAccept: application/json\r\nContent-Type: application/json\r\n${authorization}`;
    socket.on('data', (chunk: Buffer) => {
      this.onData(chunk);
    });
  }

  static async open(access: Access): Promise<Connection> {
    const { port, hostname: host } = access.server;
    const socket = connect({ ...access.tls, host, port: Number(port), ALPNProtocols: ['http/1.1'] });
    await once(socket, 'secureConnect');
    socket.setNoDelay(true);
    return new Connection(socket, access);
  }

  send(method: string, path: string, body = ''): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let [received, expected] = [0, -1];
      this.socket.once('close', reject);
      this.onData = (chunk) => {
        chunks.push(chunk);
        received += chunk.length;
        if (expected < 0) expected = lengthOf(chunk);
        if (expected > 0 ? received < expected : chunk.compare(END_OF_CHUNKS, 0, 5, chunk.length - 5) !== 0) return;
        this.socket.off('close', reject);
        const bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks);
        resolve({ code: Number(bytes.toString('latin1', 9, 12)), bytes });
      };
      this.write(method, path, body);
    });
  }

  /** Calls with the number of events in each piece that comes. */
  watch(path: string, onEvents: (count: number) => void): void {
    let [isInHead, last] = [true, 0];
    this.onData = (chunk) => {
      let from = 0;
      if (isInHead) {
        const end = chunk.indexOf('\r\n\r\n');
        if (end < 0) return;
        [isInHead, from] = [false, end + 4];
      }
      let count = 0;
      for (let at = chunk.indexOf(LF, from); at >= 0; at = chunk.indexOf(LF, at + 1)) {
        if ((at === 0 ? last : chunk[at - 1]) !== CR) count += 1;
      }
      last = chunk[chunk.length - 1] ?? 0;
      if (count > 0) onEvents(count);
    };
    this.write('GET', path, '');
  }

  close(): void {
    this.socket.destroy();
  }

  private write(method: string, path: string, body: string): void {
    const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
    this.socket.write(`${method} ${path} HTTP/1.1\r\n${this.head}${length}\r\n${body}`);
  }
}

/** Returns the length of a reply, which its first piece contains; 0 for chunks. */
function lengthOf(first: Buffer): number {
  const end = first.indexOf('\r\n\r\n') + 4;
  const length = /^content-length: *(\d+)/im.exec(first.toString('latin1', 0, end))?.[1];
  return length === undefined ? 0 : end + Number(length);
}
