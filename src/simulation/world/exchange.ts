import { requestInfo, type RequestInfo } from '../../api/access/request-info.js';
import { MemoryMessage } from '../../apiserver/transport/memory/memory-message.js';
import { MemoryResponse, type MemoryReceiver } from '../../apiserver/transport/memory/memory-response.js';
import { requestTarget } from '../../apiserver/transport/request/request-target.js';
import type { Connections, PendingConnection } from '../../client/http/connection-pool.js';
import type { Connection, ExchangeHandler } from '../../client/http/http-connection.js';
import { ResponseHead } from '../../client/http/response-head.js';
import type { Actor, Commit, Delivery, ObjectRef, RequestRecord } from '../record/history.js';
import type { Owner, Task } from './step.js';
import type { Loss, OperatorLife, Refusal } from './world-event.js';
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

/** The connections of a simulated client, each for one exchange. */
export class WorldConnections implements Connections {
  private readonly open = new Set<Exchange>();

  constructor(
    private readonly world: World,
    private readonly sender: Sender,
  ) {}

  take(): Connection {
    return new WorldConnection(this.world, this.sender, this.open);
  }

  acquire(): PendingConnection {
    return { connection: Promise.resolve(this.take()), cancel: () => undefined };
  }

  retireUnused(): void {
    // There are no idle connections.
  }

  retire(): void {
    // There are no idle connections.
  }

  close(error: Error): void {
    for (const exchange of [...this.open]) exchange.fail(error);
  }
}

class WorldConnection implements Connection {
  onIdle: () => void = () => undefined;
  private current: Exchange | undefined;

  constructor(
    private readonly world: World,
    private readonly sender: Sender,
    private readonly open: Set<Exchange>,
  ) {}

  exchange(_method: string, message: string, handler: ExchangeHandler): void {
    const exchange = new Exchange(this.world, this.sender, message, handler, () => this.open.delete(exchange));
    this.current = exchange;
    this.open.add(exchange);
    exchange.send();
  }

  pause(): void {
    this.current?.pause();
  }

  resume(): void {
    this.current?.resume();
  }

  destroy(error?: Error): void {
    this.current?.fail(error ?? new Error('the connection was closed'));
  }
}

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
  private readonly message: MemoryMessage;
  private readonly response = new MemoryResponse(this);
  private readonly task: Task;
  private head = '';
  private chunks: Buffer[] = [];
  private rest = '';
  private isOver = false;
  private isPaused = false;
  private isKept = false;
  /** The event of the stream that is told now. */
  private told: Telling | undefined;
  private awaited: { readonly key: string; readonly found: () => void }[] = [];
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
    const ref = world.refOf(this.info, path);
    this.text = world.recorder.texts.of(ref);
    const isApply = headers['content-type']?.startsWith(APPLY) === true;
    const verb = isApply ? 'apply' : this.info.verb;
    const { subresource } = this.info;
    this.record = {
      index: world.recorder.requests.length,
      at: world.at,
      actor: sender.actor(),
      verb,
      object: ref,
      subresource: subresource === '' ? undefined : subresource,
      body: method === 'GET' ? undefined : text.slice(text.indexOf('\r\n\r\n') + 4),
    };
    world.recorder.requests.push(this.record);
    const what = `${verb} ${this.text}${subresource === '' ? '' : `/${subresource}`}`;
    this.label = world.numbered(`${sender.owner.name} ${what}`);
    this.lane = this.isWatch ? `stream ${this.label}` : `exchange ${this.label}`;
    this.task = { owner: world.server, label: this.label, request: this.record.index };
  }

  /** Sends the request, unless a fault keeps it back. */
  send(): void {
    const { world, sender } = this;
    if (sender.owner.isDead) return;
    world.emit({ ...this.event, point: 'sent' });
    if (sender.owner.isDead || this.isOver || this.record.lost !== undefined || this.isKept) return;
    this.arrive(world.latency(this.label));
  }

  get owner(): Owner {
    return this.sender.owner;
  }

  get path(): string {
    return this.message.url;
  }

  get event() {
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
  refusal: Refusal | undefined;
  replacement: string | undefined;

  /** Keeps the request from the server until the returned function is called. Only before it was sent. */
  keep(): () => void {
    this.isKept = true;
    return () => {
      if (this.isKept && !this.isOver && !this.sender.owner.isDead) this.arrive(0);
      this.isKept = false;
    };
  }

  /** Drops the event that is told now if another one of the same object comes within a time. */
  skipUntilNext(withinMs: number): void {
    const { told, world } = this;
    if (!told) return;
    const hold = world.scheduler.hold((step) => step.lane === this.lane, withinMs);
    this.awaited.push({
      key: told.key,
      found: () => {
        told.isSkipped = true;
        world.scheduler.release(hold);
      },
    });
  }

  /** Tells the event that is told now once more. */
  repeat(): void {
    if (this.told) this.told.times += 1;
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
    for (const line of lines) this.tell(`${line}\n`);
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
        else if (this.replacement !== undefined)
          this.response.writeHead(200, { 'Content-Type': 'application/json' }).end(this.replacement);
        else if (!this.isOver) void world.handle(this.message, this.response);
      },
      false,
    );
  }

  private refuse({ status, reason, message, retryAfterSeconds }: Refusal): void {
    const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code: status };
    const text = JSON.stringify({ ...body, ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }) });
    this.response
      .writeHead(status, {
        'Content-Type': 'application/json',
        ...(retryAfterSeconds !== undefined && { 'Retry-After': retryAfterSeconds }),
      })
      .end(text);
  }

  /** Passes one event of the stream to the client, in a step of its own. */
  private tell(line: string): void {
    const { world } = this;
    const event = JSON.parse(line) as WatchLine;
    const delivery = this.deliveryOf(event);
    const object = delivery && world.recorder.texts.of(delivery.object);
    const { namespace = '', name } = event.object.metadata;
    const telling: Telling = { key: `${namespace}/${name}`, isSkipped: false, times: 1 };
    const awaited = this.awaited.filter(({ key }) => key === telling.key);
    this.awaited = this.awaited.filter(({ key }) => key !== telling.key);
    for (const { found } of awaited) found();
    const point = { ...this.event, exchange: this, point: 'told' as const, lane: this.lane, object };
    let isAnnounced = false;
    const run = (): void => {
      if (delivery) {
        this.told = telling;
        if (!isAnnounced) world.emit({ ...point, verb: delivery.type, place: delivery.object });
        isAnnounced = true;
        if (this.sender.owner.isDead || this.isOver || telling.isSkipped) return;
        if (world.scheduler.isLaneHeld(this.lane)) {
          world.scheduler.putBack();
          return;
        }
        world.recorder.deliveries.push({ ...delivery, at: world.at });
      }
      for (let time = 0; time < telling.times; time++) this.handler.onBody(Buffer.from(line));
    };
    this.deliver(world.latency(this.label) + this.delayMs, run, `${event.type} ${object ?? ''}`);
  }

  private deliveryOf({ type, object }: WatchLine): Delivery | undefined {
    const types: Readonly<Record<string, Delivery['type']>> = { ADDED: 'added', MODIFIED: 'modified', DELETED: 'deleted' };
    const told = types[type];
    if (told === undefined) return undefined;
    return this.deliveryFrom(told, object);
  }

  private deliveryFrom(type: Delivery['type'], { metadata }: WatchLine['object']): Delivery {
    const { name, namespace, uid = '', resourceVersion = '' } = metadata;
    const object: ObjectRef = { ...this.record.object, namespace, name };
    return { at: this.world.at, actor: this.record.actor, type, object, uid, resourceVersion };
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
    const { items } = JSON.parse(body.toString()) as { readonly items?: readonly WatchLine['object'][] };
    for (const item of items ?? []) this.world.recorder.deliveries.push(this.deliveryFrom('listed', item));
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

/** An event on its way to the client. */
interface Telling {
  /** Namespace and name of the object. */
  readonly key: string;
  isSkipped: boolean;
  times: number;
}

interface WatchLine {
  readonly type: string;
  readonly object: {
    readonly metadata: {
      readonly name: string;
      readonly namespace?: string;
      readonly uid?: string;
      readonly resourceVersion?: string;
    };
  };
}
