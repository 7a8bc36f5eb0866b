import { StringDecoder } from 'node:string_decoder';
import { DividedList } from '../../base/divided-list.js';
import { JoinedChunks } from '../../base/joined-chunks.js';
import { OperatorError } from '../../base/operator-error.js';
import type { CallReceiver, StreamFlow } from './call.js';
import type { ResponseHead } from './response-head.js';

/** A complete response. */
export interface CollectedResponse {
  readonly head: ResponseHead;
  readonly body: string;
  /** The elements of the list that was to be parsed while it arrives. The body has an empty list in its place. */
  readonly elements?: readonly unknown[] | undefined;
}

/** A member of a JSON object: a list, parsed element by element while a successful response arrives. */
export interface ListMember {
  readonly name: string;
  /** Throws for text that is not JSON. */
  readonly parse: (element: string) => unknown;
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
  private readonly chunks = new JoinedChunks();
  private bytes = 0;
  private stream: StreamReceiver | undefined;
  private elements: ElementCollector | undefined;

  constructor(
    private readonly maxBytes: number,
    private readonly receiver?: StreamReceiver,
    private readonly list?: ListMember,
  ) {}

  onHead(head: ResponseHead, flow: StreamFlow): void {
    this.head = head;
    if (head.status !== 200) return;
    if (this.list && isJson(head)) this.elements = new ElementCollector(this.list);
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
    if (this.elements) this.elements.push(bytes);
    else this.chunks.push(bytes);
  }

  /** Returns the response. Must be called after the call has succeeded, when the head is set. */
  response(): CollectedResponse {
    const { head, chunks } = this;
    if (!head) throw new Error('no response received yet');
    if (this.elements) return { head, ...this.elements.end() };
    return { head, body: chunks.join().toString() };
  }
}

/** Reports whether the body of a response is JSON. */
export function isJson(head: ResponseHead): boolean {
  return (head.header('content-type') ?? '').includes('json');
}

/** Parses the elements of a list while it arrives: a page as a whole would block the event loop. */
class ElementCollector {
  private readonly divided: DividedList;
  private readonly decoder = new StringDecoder('utf8');
  private readonly elements: unknown[] = [];

  constructor(private readonly list: ListMember) {
    this.divided = new DividedList(list.name, 1);
  }

  push(bytes: Buffer): void {
    this.add(this.decoder.write(bytes));
  }

  end(): Pick<CollectedResponse, 'body' | 'elements'> {
    this.add(this.decoder.end());
    return { body: this.divided.rest, elements: this.elements };
  }

  private add(piece: string): void {
    for (const element of this.divided.add(piece)) this.elements.push(this.list.parse(element));
  }
}
