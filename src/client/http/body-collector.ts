import { OperatorError } from '../../base/operator-error.js';
import type { CallReceiver, StreamFlow } from './call.js';
import type { ResponseHead } from './response-head.js';

/** A response as a whole. */
export interface CollectedResponse {
  readonly head: ResponseHead;
  readonly body: string;
}

/** Takes a response as it arrives. */
export interface StreamReceiver {
  /** The server has said 200. */
  onOpen(flow: StreamFlow): void;
  onBytes(bytes: Buffer): void;
}

/** Puts the body of a response together, or hands it on while it arrives, if that is wanted and the status is 200. */
export class BodyCollector implements CallReceiver {
  head: ResponseHead | undefined;
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private stream: StreamReceiver | undefined;

  constructor(
    private readonly maxBytes: number,
    private readonly receiver?: StreamReceiver,
  ) {}

  onHead(head: ResponseHead, flow: StreamFlow): void {
    this.head = head;
    if (head.status !== 200) return;
    this.stream = this.receiver;
    this.stream?.onOpen(flow);
  }

  /** @throws OperatorError when the body is longer than it may be. */
  onBody(bytes: Buffer): void {
    if (this.stream) {
      this.stream.onBytes(bytes);
      return;
    }
    this.bytes += bytes.length;
    if (this.bytes > this.maxBytes) {
      throw new OperatorError(`the response is longer than ${this.maxBytes} bytes`, { code: 'E_RESPONSE_TOO_LONG' });
    }
    this.chunks.push(bytes);
  }

  /** The response; only after the call has succeeded, by when there is a head. */
  response(): CollectedResponse {
    const { head, chunks } = this;
    if (!head) throw new Error('there is no response yet');
    const [first] = chunks;
    return { head, body: (chunks.length === 1 && first ? first : Buffer.concat(chunks)).toString() };
  }
}
