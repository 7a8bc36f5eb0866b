import type { Delivery, ObjectRef, RequestRecord } from '../record/history.js';
import type { World } from './world.js';
import type { WorldEvent, SentRequest } from './world-event.js';

/** The members of an object that identify what the operator sees. */
export interface SeenObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
  };
}

interface WatchLine {
  readonly type: string;
  readonly object: SeenObject;
}

/** An event on its way to the client. */
interface Telling {
  /** Namespace and name of the object. */
  readonly key: string;
  isSkipped: boolean;
  times: number;
}

/** The stream that the events belong to. */
interface Stream extends SentRequest {
  readonly event: Omit<WorldEvent, 'point'>;
  readonly lane: string;
  readonly isOver: boolean;
}

interface Target {
  /** Passes a line to the client. */
  readonly onLine: (line: Buffer) => void;
  /** Adds a step of the client in the lane of the stream. */
  readonly deliver: (what: string, run: () => void) => void;
}

const TYPES: ReadonlyMap<string, Delivery['type']> = new Map([
  ['ADDED', 'added'],
  ['MODIFIED', 'modified'],
  ['DELETED', 'deleted'],
]);

/** Delivers the events of a stream one by one; faults can hold, skip and repeat them. */
export class ToldEvents {
  /** The event that is delivered now. */
  private told: Telling | undefined;
  private awaited: { readonly key: string; readonly found: () => void }[] = [];

  constructor(
    private readonly world: World,
    private readonly stream: Stream,
    private readonly target: Target,
  ) {}

  /** Passes one event of the stream to the client, in a step of its own. */
  tell(line: string): void {
    const { world, stream } = this;
    const { type, object } = JSON.parse(line) as WatchLine;
    const { namespace = '', name } = object.metadata;
    const telling: Telling = { key: `${namespace}/${name}`, isSkipped: false, times: 1 };
    this.notifyAwaited(telling.key);
    const kind = TYPES.get(type);
    const seen = kind && deliveryOf(kind, object, { at: world.at, record: stream.record });
    const text = seen && world.recorder.texts.of(seen.object);
    let isAnnounced = false;
    this.target.deliver(`${type} ${text ?? ''}`, () => {
      if (seen) {
        this.told = telling;
        const point = { ...stream.event, point: 'delivered', lane: stream.lane, object: text } as const;
        if (!isAnnounced) world.emit({ ...point, verb: seen.type, place: seen.object });
        isAnnounced = true;
        if (stream.record.actor.type === 'operator' && this.isKeptBack(telling)) return;
        world.recorder.deliveries.push({ ...seen, at: world.at });
      }
      for (let time = 0; time < telling.times; time++) this.target.onLine(Buffer.from(line));
    });
  }

  /** Drops the event that is delivered now if another one of the same object comes within a time. */
  skipUntilNext(withinMs: number): void {
    const { told, world, stream } = this;
    if (!told) return;
    const hold = world.scheduler.hold((step) => step.lane === stream.lane, withinMs);
    this.awaited.push({
      key: told.key,
      found: () => {
        told.isSkipped = true;
        world.scheduler.release(hold);
      },
    });
  }

  repeat(): void {
    if (this.told) this.told.times += 1;
  }

  /** Returns true if the event must not be passed on, or not yet. */
  private isKeptBack(telling: Telling): boolean {
    const { world, stream } = this;
    if (world.task.owner.isDead || stream.isOver || telling.isSkipped) return true;
    if (!world.scheduler.isLaneHeld(stream.lane)) return false;
    world.scheduler.putBack();
    return true;
  }

  private notifyAwaited(key: string): void {
    const found = this.awaited.filter((each) => each.key === key);
    this.awaited = this.awaited.filter((each) => each.key !== key);
    for (const each of found) each.found();
  }
}

/** Records that an object was delivered to the sender of a request. */
export function deliveryOf(
  type: Delivery['type'],
  { metadata }: SeenObject,
  { at, record }: { readonly at: number; readonly record: RequestRecord },
): Delivery {
  const { name, namespace, uid = '', resourceVersion = '' } = metadata;
  const object: ObjectRef = { ...record.object, namespace, name };
  return { at, actor: record.actor, type, object, uid, resourceVersion };
}
