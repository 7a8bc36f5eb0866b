import type { RequestInfo } from '../../api/access/request-info.js';
import type { Trigger } from '../plan/plan.js';
import type { Commit, RequestRecord } from '../record/history.js';
import type { Owner } from './world-step.js';

/** The loss of an answer. */
export type Loss = NonNullable<RequestRecord['lost']>;

/** An answer that a fault gives in place of the server. */
export interface InjectedError {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
  readonly retryAfterSeconds?: number | undefined;
}

/** A life of a replica of the operator. */
export interface OperatorLife {
  readonly owner: Owner;
  readonly name: string;
  readonly life: number;
}

/** A request and its answer, with what faults can do to them. */
export interface SentRequest {
  readonly record: RequestRecord;
  readonly info: RequestInfo;
  readonly isWatch: boolean;
  /** With the query. */
  readonly path: string;
  /** Canonical spelling of the object. */
  readonly text: string;
  /** The changes that the request made. */
  readonly commits: Commit[];
  /** Delays the delivery of the answer, or of the events of a stream. */
  delayMs: number;
  /** An answer in place of the server's; set before the request arrives. */
  refusal: InjectedError | undefined;
  /** Lets the server answer a list with the state of an earlier revision. Only before it was sent. */
  listAt(revision: number): void;
  /** Loses the answer. Before the request was sent, the request is lost too. */
  lose(loss: Loss): void;
  /** Keeps the request from the server until the returned function is called. Only before it was sent. */
  keep(): () => void;
  /** Drops the event that is delivered now if another one of the same object comes within a time. */
  skipUntilNext(withinMs: number): void;
  /** Delivers the event that is delivered now once more. */
  repeat(): void;
  /** Ends the stream as a lost connection, with the events that are on their way. */
  reset(): void;
}

/** Something that happens, at which a fault can begin. */
export interface WorldEvent {
  readonly point: Trigger['point'];
  readonly verb?: string | undefined;
  /** In canonical spelling. */
  readonly object?: string | undefined;
  readonly subresource?: string | undefined;
  readonly process?: OperatorLife | undefined;
  /** The request of the points about requests and events. */
  readonly exchange?: SentRequest | undefined;
  readonly request?: RequestRecord | undefined;
  readonly commits?: readonly Commit[] | undefined;
  /** The lane of the stream, of a delivered event. */
  readonly lane?: string | undefined;
  /** The reconciled or delivered object, by its full name. */
  readonly place?:
    { readonly kind: string; readonly namespace?: string | undefined; readonly name: string } | undefined;
}
