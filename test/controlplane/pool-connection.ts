import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { PoolReply, PoolRequest } from './pool-messages.ts';

/** A suite's connection to the pool of control planes. */
export class PoolConnection {
  private readonly socket: Socket;
  /** Resolve with the replies that are awaited, in the order of their requests. */
  private readonly waiting: ((reply: PoolReply) => void)[] = [];
  private isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    const lines = createInterface({ input: socket });
    lines.on('line', (line) => this.waiting.shift()?.(JSON.parse(line) as PoolReply));
    lines.on('close', () => {
      this.isClosed = true;
      for (const reply of this.waiting.splice(0)) reply({ error: 'the pool of control planes has ended' });
    });
    socket.on('error', () => undefined); // it closes then
  }

  static async open(path: string): Promise<PoolConnection> {
    const socket = connect(path);
    await once(socket, 'connect');
    socket.unref(); // a suite that does not stop its control plane must not keep its process from ending
    return new PoolConnection(socket);
  }

  /** Rejects with the error of the pool, or if the connection is closed. */
  async request(message: PoolRequest): Promise<PoolReply> {
    if (this.isClosed) throw new Error('the connection to the pool of control planes is closed');
    this.socket.ref();
    const { error, ...reply } = await new Promise<PoolReply>((resolve) => {
      this.waiting.push(resolve);
      this.socket.write(`${JSON.stringify(message)}\n`);
    });
    if (this.waiting.length === 0) this.socket.unref();
    if (error !== undefined) throw new Error(error);
    return reply;
  }

  close(): void {
    this.isClosed = true;
    this.socket.destroy();
  }
}
