import { requestInfo, type RequestInfo } from '../../api/access/request-info.js';
import { captureStack } from '../../base/capture-stack.js';
import { userLocation } from '../../base/user-frames.js';
import { MemoryMessage } from '../../apiserver/transport/memory/memory-message.js';
import { MemoryResponse, type MemoryReceiver } from '../../apiserver/transport/memory/memory-response.js';
import { requestTarget } from '../../apiserver/transport/request/request-target.js';
import type { ExchangeHandler } from '../../client/http/http-connection.js';
import { ResponseHead } from '../../client/http/response-head.js';
import type { Actor, Commit, RequestRecord } from '../record/history.js';
import type { Owner, Task } from './world-step.js';
import type { Loss, OperatorLife, InjectedError, WorldEvent } from './world-event.js';
import { deliveryOf, ToldEvents, type SeenObject } from './told-events.js';
import type { OpenExchange, World } from './world.js';

/** The sender of requests. */
export interface Sender {
  readonly owner: Owner;
  /** Returns the actor of a request that is sent now. */
  readonly actor: () => Actor;
  readonly process?: OperatorLife | undefined;
}

const ERRORS: Readonly<Record<Exclude<Loss, 'timeout'>, { readonly code: string; readonly message: string }>> = {
  reset: { code: 'ECONNRESET', message: 'read ECONNRESET' },
  refused: { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:6443' },
};
const APPLY = 'application/apply-patch';

/** One request, its way to the server, and the answer's way back. Each part is a step of the world. */
export class Exchange implements MemoryReceiver, OpenExchange {
  readonly record: RequestRecord;
  readonly info: RequestInfo;
  readonly isWatch: boolean;
  /** Spelling of the object. */
  readonly text: string;
  /** The changes that the request made. */
  readonly commits: Commit[] = [];
  readonly lane: string;
  private readonly label: string;
  private message: MemoryMessage;
  private readonly response = new MemoryResponse(this);
  private readonly task: Task;
  private head = '';
  private readonly chunks: Buffer[] = [];
  private rest = '';
  isOver = false;
  private isPaused = false;
  private isKept = false;
  private readonly events: ToldEvents;
  private hasOpened = false;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly world: World,
    readonly sender: Sender,
    text: string,
    private readonly handler: ExchangeHandler,
    private readonly onOver: () => void,
  ) {
    this.message = MemoryMessage.of(text);
    const { method, url, headers } = this.message;
    const { path, query } = requestTarget(url);
    this.info = requestInfo(method, path, query);
    this.isWatch = this.info.verb === 'watch';
    const verb = isApply(headers['content-type']) ? 'apply' : this.info.verb;
    const { subresource } = this.info;
    const body = method === 'GET' ? undefined : text.slice(text.indexOf('\r\n\r\n') + 4);
    const object = requestedObject(world.refOf(this.info, path), verb, body);
    this.text = world.recorder.texts.of(object);
    this.record = {
      index: world.recorder.requests.length,
      at: world.at,
      actor: sender.actor(),
      verb,
      object,
      subresource: subresource === '' ? undefined : subresource,
      body,
      place: world.isTraced && sender.process ? userLocation(captureStack({})) : undefined,
    };
    world.recorder.requests.push(this.record);
    const what = `${verb} ${this.text}${subresource === '' ? '' : `/${subresource}`}`;
    this.label = world.numbered(`${sender.owner.name} ${what}`);
    this.lane = this.isWatch ? `stream ${this.label}` : `exchange ${this.label}`;
    this.task = { owner: world.server, label: this.label, request: this.record.index };
    this.events = new ToldEvents(world, this, {
      onLine: (line) => {
        this.handler.onBody(line);
      },
      deliver: (what, run) => {
        this.deliver(world.latency(this.label) + this.delayMs, run, what);
      },
    });
  }

  /** Sends the request, unless a fault keeps it back. */
  send(): void {
    const { world, sender } = this;
    if (sender.owner.isDead) return;
    world.emit({ ...this.event, point: 'sent' });
    if (this.isDead || this.isOver || this.hasLost || this.isKept) return;
    this.arrive(world.latency(this.label));
  }

  get owner(): Owner {
    return this.sender.owner;
  }

  get path(): string {
    return this.message.url;
  }

  get event(): Omit<WorldEvent, 'point'> {
    const { record, text, sender } = this;
    return {
      verb: record.verb,
      object: text,
      subresource: record.subresource,
      process: sender.process,
      exchange: this,
      request: record,
      commits: this.commits,
    };
  }

  delayMs = 0;
  refusal: InjectedError | undefined;

  /** Lets the server answer a list with the state of an earlier revision. Only before it was sent. */
  listAt(revision: number): void {
    const { method, url, headers } = this.message;
    const version = `resourceVersion=${String(revision)}&resourceVersionMatch=Exact`;
    this.message = new MemoryMessage(method, url.replace('resourceVersion=0', version), headers, undefined);
  }

  /** Keeps the request from the server until the returned function is called. Only before it was sent. */
  keep(): () => void {
    this.isKept = true;
    return () => {
      if (this.isKept && !this.isOver && !this.sender.owner.isDead) this.arrive(0);
      this.isKept = false;
    };
  }

  skipUntilNext(withinMs: number): void {
    this.events.skipUntilNext(withinMs);
  }

  repeat(): void {
    this.events.repeat();
  }

  /** Ends the stream as a lost connection, with the events that are on their way. */
  reset(): void {
    if (!this.isWatch) return;
    this.response.disconnect();
    this.endWith(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
  }

  /** Loses the answer. Before the request was sent, the request is lost too. */
  lose(loss: Loss): void {
    if (this.record.lost !== undefined) return;
    this.record.lost = loss;
    if (loss === 'timeout') return; // the client waits for its own time-out
    this.deliver(this.world.latency(this.label), () => {
      const { code, message } = ERRORS[loss];
      this.endWith(Object.assign(new Error(message), { code, syscall: 'connect' }));
    });
  }

  /** Ends the exchange at the client with an error, as the close of its connection. */
  fail(error: Error): void {
    if (this.isOver) return;
    this.response.disconnect();
    this.endWith(error);
  }

  /** Ends the exchange because the process of the client is dead: the client hears nothing any more. */
  abandon(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.response.disconnect();
    this.onOver();
    this.world.exchanges.delete(this);
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    for (const run of this.waiting.splice(0)) this.deliver(0, run);
  }

  onHead(head: string): void {
    this.head = head;
    if (!this.isWatch || this.response.statusCode !== 200) return;
    this.deliver(this.world.latency(this.label), () => {
      this.open();
    });
  }

  onBody(bytes: Buffer): void {
    if (!this.isWatch || this.response.statusCode !== 200) {
      this.chunks.push(bytes);
      return;
    }
    const lines = (this.rest + bytes.toString()).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.events.tell(`${line}\n`);
  }

  onEnd(): void {
    if (this.record.lost !== undefined) return;
    const { world } = this;
    if (this.isWatch && this.response.statusCode === 200) {
      this.deliver(world.latency(this.label), () => {
        this.close();
      });
      return;
    }
    if (this.commits.length > 0) world.emit({ ...this.event, point: 'committed' });
    if (this.sender.owner.isDead || this.hasLost) return;
    this.deliver(world.latency(this.label) + this.delayMs, () => {
      this.answer();
    });
  }

  private get isDead(): boolean {
    return this.sender.owner.isDead;
  }

  private get hasLost(): boolean {
    return this.record.lost !== undefined;
  }

  onAbort(): void {
    if (this.isOver) return;
    this.deliver(this.world.latency(this.label), () => {
      this.endWith(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
    });
  }

  private arrive(delayMs: number): void {
    const { world } = this;
    world.exchanges.add(this);
    world.scheduler.add(
      this.lane,
      this.task,
      delayMs,
      () => {
        if (this.refusal) this.refuse(this.refusal);
        else if (!this.isOver) void world.handle(this.message, this.response);
      },
      false,
    );
  }

  private refuse({ status, reason, message, retryAfterSeconds }: InjectedError): void {
    const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code: status };
    const text = JSON.stringify({
      ...body,
      ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }),
    });
    this.response
      .writeHead(status, {
        'Content-Type': 'application/json',
        ...(retryAfterSeconds !== undefined && { 'Retry-After': retryAfterSeconds }),
      })
      .end(text);
  }

  private open(): void {
    this.record.status = this.response.statusCode;
    this.record.answeredAt = this.world.at;
    this.hasOpened = true;
    this.handler.onHead(new ResponseHead(this.head));
  }

  private close(): void {
    if (!this.hasOpened) this.open();
    this.isOver = true;
    this.handler.onEnd();
    this.over();
  }

  private answer(): void {
    const { handler, world } = this;
    const body = Buffer.concat(this.chunks);
    this.record.status = this.response.statusCode;
    this.record.answeredAt = world.at;
    if (this.info.verb === 'list' && this.sender.process && this.response.statusCode === 200) this.recordList(body);
    this.isOver = true;
    try {
      handler.onHead(new ResponseHead(this.head));
      if (body.length > 0) handler.onBody(body);
      handler.onEnd();
    } catch (error) {
      handler.onError(error as Error);
    }
    this.over();
    world.emit({ ...this.event, point: 'answered' });
  }

  private recordList(body: Buffer): void {
    const { items } = JSON.parse(body.toString()) as { readonly items: readonly SeenObject[] | null };
    for (const item of items ?? [])
      this.world.recorder.deliveries.push(deliveryOf('listed', item, { at: this.world.at, record: this.record }));
  }

  private endWith(error: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    this.handler.onError(error);
    this.over();
  }

  private over(): void {
    this.world.exchanges.delete(this);
    this.onOver();
  }

  /** Adds a step of the client, unless its process is dead. */
  private deliver(delayMs: number, run: () => void, what = 'answer'): void {
    const { world, sender } = this;
    if (sender.owner.isDead || this.isOver) return;
    const task = { owner: sender.owner, label: `${this.label}: ${what}` };
    const guarded = (): void => {
      if (this.isOver) return;
      if (this.isPaused) this.waiting.push(guarded);
      else run();
    };
    world.scheduler.add(this.lane, task, delayMs, guarded);
  }
}

function isApply(contentType: string | undefined): boolean {
  return contentType?.startsWith(APPLY) === true;
}

/** The URL of a create ends with the collection. */
function requestedObject(
  ref: RequestRecord['object'],
  verb: string,
  body: string | undefined,
): RequestRecord['object'] {
  return verb === 'create' && ref.name === undefined ? { ...ref, name: nameIn(body) } : ref;
}

/** The name in the body of a create; `a-*` for one that the server completes. */
function nameIn(body: string | undefined): string | undefined {
  try {
    const { name, generateName } = (JSON.parse(body ?? '') as { readonly metadata?: NewName }).metadata ?? {};
    return name ?? (generateName === undefined ? undefined : `${generateName}*`);
  } catch {
    return undefined; // the server rejects the body
  }
}

interface NewName {
  readonly name?: string;
  readonly generateName?: string;
}
