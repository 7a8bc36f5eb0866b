import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Fault, LineReplacement, WatchLine } from './fault.js';
import type { ProxiedCall } from './proxied-call.js';

/** One watch that passes through the proxy, line by line. */
export class WatchRelay {
  private readonly queue: WatchLine[] = [];
  private partial = '';
  private count = 0;
  private isUpstreamEnded = false;
  private isClosed = false;
  private wake: () => void = () => undefined;

  constructor(
    readonly call: ProxiedCall,
    private readonly upstream: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly faults: readonly Fault[],
  ) {
    upstream.setEncoding('utf8');
    upstream.on('data', (chunk: string) => {
      this.receive(chunk);
    });
    for (const event of ['end', 'error', 'close'] as const) {
      upstream.on(event, () => {
        this.isUpstreamEnded = true;
        this.wake();
      });
    }
    response.on('close', () => {
      this.isClosed = true;
      upstream.destroy();
      this.wake();
    });
  }

  /** Relays until one side ends. */
  async run(): Promise<void> {
    const { statusCode = 200, headers } = this.upstream;
    const type = headers['content-type'] ?? 'application/json';
    this.response.writeHead(statusCode, { 'content-type': type });
    this.response.flushHeaders();
    while (!this.isClosed) {
      const line = this.queue.shift();
      if (line) await this.relay(line);
      else if (this.isUpstreamEnded) this.end();
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  /** Inserts a line. */
  insert(text: string): void {
    if (!this.isClosed) this.response.write(`${text}\n`);
  }

  /** Sends bytes that need not be a line; resolves when they are written. */
  async insertRaw(data: string | Buffer): Promise<void> {
    if (!this.isClosed) await this.write(data);
  }

  /** Ends the response as a server does after its time-out. */
  end(): void {
    this.isClosed = true;
    this.response.end();
    this.upstream.destroy();
  }

  /** Closes the connection in the middle of the response. */
  reset(): void {
    this.isClosed = true;
    this.response.destroy();
    this.upstream.destroy();
  }

  private receive(chunk: string): void {
    const lines = (this.partial + chunk).split('\n');
    this.partial = lines.pop() ?? '';
    for (const text of lines)
      this.queue.push({ text, index: this.count++, arrivedMs: performance.now(), call: this.call });
    this.wake();
  }

  private async relay(line: WatchLine): Promise<void> {
    let replacement: LineReplacement = { send: [line.text] };
    for (const fault of this.faults) {
      const [text] = replacement.send;
      if (!fault.line || replacement.send.length !== 1 || typeof text !== 'string') continue;
      const edited = await fault.line({ ...line, text });
      replacement = typeof edited === 'string' ? { send: [edited] } : edited;
    }
    await this.send(replacement);
  }

  private async send({ send, then }: LineReplacement): Promise<void> {
    for (const piece of send) {
      if (this.response.destroyed) return;
      const data = typeof piece === 'string' ? `${piece}\n` : piece;
      await this.write(data);
    }
    if (then === 'end') this.end();
    else if (then === 'reset') this.reset();
    else if (then === 'hang') await new Promise<void>((resolve) => this.response.once('close', resolve));
  }

  /** Resolves when the data is written or the client has gone: the callback of a write may never come then. */
  private async write(data: string | Buffer): Promise<void> {
    const { response } = this;
    if (response.destroyed) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        response.off('close', done);
        resolve();
      };
      response.once('close', done);
      response.write(data, done);
    });
  }
}
