import { OperatorError } from '../../base/operator-error.js';
import type { CallReceiver, StreamFlow } from './call.js';
import type { ResponseHead } from './response-head.js';

/** A complete response. */
export interface CollectedResponse {
  readonly head: ResponseHead;
  readonly body: string;
}

/** Receives a response as it arrives. */
export interface StreamReceiver {
  /** Called when the response starts with status 200. */
  onOpen(flow: StreamFlow): void;
  onBytes(bytes: Buffer): void;
}

/** Collects the body of a response, or passes it to the receiver, if there is one and the status is 200. */
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

  /** @throws OperatorError if the body exceeds the limit. */
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

  /** Returns the response. Must be called after the call has succeeded, when the head is set. */
  response(): CollectedResponse {
    const { head, chunks } = this;
    if (!head) throw new Error('no response received yet');
    const [first] = chunks;
    return { head, body: (chunks.length === 1 && first ? first : Buffer.concat(chunks)).toString() };
  }
}
