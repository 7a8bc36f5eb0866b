import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import timers from 'node:timers';

/** The time, timers and random values of a simulated world. */
export interface WorldGlobals {
  /** Milliseconds since the epoch. */
  now(): number;
  monotonic(): number;
  /** Runs a callback later; returns a function that cancels it. */
  timer(delayMs: number, callback: () => void): () => void;
  turn(callback: () => void, worker: string): () => void;
  randomNumber(): number;
  /** Random bytes as hexadecimal digits. */
  hex(bytes: number): string;
}

/** The functions of Node, for the simulation itself. */
export const real = {
  setImmediate: globalThis.setImmediate,
  setTimeout: globalThis.setTimeout,
  now: Date.now.bind(Date),
  cpuUsage: process.cpuUsage.bind(process),
};

let current: WorldGlobals | undefined;

/** Replaces time, timers and random values of this thread while a world is given; otherwise they are those of Node. */
export function useWorld(world: WorldGlobals | undefined): void {
  current = world;
}

/** A timer of a world, with the members of those of Node. */
class WorldTimer {
  private cancel: () => void;

  constructor(private readonly start: () => () => void) {
    this.cancel = start();
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  refresh(): this {
    this.cancel();
    this.cancel = this.start();
    return this;
  }

  close(): this {
    this.cancel();
    return this;
  }

  [Symbol.dispose](): void {
    this.cancel();
  }
}

type Callback = (...args: unknown[]) => void;

let isInstalled = false;

/** Installs the replacements once, before user files are loaded. They are those of Node until `useWorld`. */
export function installGlobals(): void {
  if (isInstalled) return;
  isInstalled = true;
  replaceTimers();
  replacePromisedTimers();
  replaceDate();
  replaceRandom();
  syncBuiltinESMExports();
}

function replaceTimers(): void {
  const scope = globalThis as unknown as Record<string, unknown>;
  const own = { ...pick(globalThis, ['setTimeout', 'setInterval', 'setImmediate']) };
  const cleared = { ...pick(globalThis, ['clearTimeout', 'clearInterval', 'clearImmediate']) };
  const replaced: Record<string, Callback | ((...args: never[]) => unknown)> = {
    setTimeout: (callback: Callback, delayMs?: number, ...args: unknown[]) => {
      const world = current;
      if (!world) return call(own['setTimeout'], callback, delayMs, ...args);
      return new WorldTimer(() => world.timer(Number(delayMs) || 1, () => callback(...args)));
    },
    setInterval: (callback: Callback, delayMs?: number, ...args: unknown[]) => {
      const world = current;
      if (!world) return call(own['setInterval'], callback, delayMs, ...args);
      const timer: WorldTimer = new WorldTimer(() =>
        world.timer(Math.max(1, Number(delayMs) || 1), () => {
          timer.refresh();
          callback(...args);
        }),
      );
      return timer;
    },
    setImmediate: (callback: Callback, ...args: unknown[]) => {
      const world = current;
      if (!world) return call(own['setImmediate'], callback, ...args);
      return new WorldTimer(() => world.turn(() => callback(...args), ''));
    },
  };
  for (const [name, clear] of Object.entries(cleared))
    replaced[name] = (timer: unknown) => (timer instanceof WorldTimer ? void timer.close() : call(clear, timer));
  Object.assign(scope, replaced);
  Object.assign(timers, replaced);
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (delayMs) => {
    if (!current) return timeout(delayMs);
    const controller = new AbortController();
    current.timer(delayMs, () => {
      controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    });
    return controller.signal;
  };
}

interface WaitOptions {
  readonly signal?: AbortSignal;
}

function replacePromisedTimers(): void {
  const own = { ...timersPromises };
  const wait = <T>(start: (done: () => void) => () => void, value: T, { signal }: WaitOptions = {}): Promise<T> =>
    new Promise((resolve, reject) => {
      const abort = (): void => {
        cancel();
        reject(
          Object.assign(new Error('The operation was aborted', { cause: signal?.reason }), {
            name: 'AbortError',
            code: 'ABORT_ERR',
          }),
        );
      };
      const cancel = start(() => {
        signal?.removeEventListener('abort', abort);
        resolve(value);
      });
      if (signal?.aborted === true) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
  const replaced = {
    setTimeout: <T>(delayMs?: number, value?: T, options?: WaitOptions) => {
      const world = current;
      if (!world) return own.setTimeout(delayMs, value, options);
      return wait((done) => world.timer(delayMs ?? 1, done), value, options);
    },
    setImmediate: <T>(value?: T, options?: WaitOptions) => {
      const world = current;
      if (!world) return own.setImmediate(value, options);
      return wait((done) => world.turn(done, ''), value, options);
    },
    setInterval: async function* <T>(delayMs?: number, value?: T, options?: WaitOptions) {
      for (;;) {
        await replaced.setTimeout(delayMs, undefined, options);
        yield value;
      }
    },
  };
  Object.assign(timersPromises, replaced);
  timersPromises.scheduler.wait = async (delayMs: number, options?: WaitOptions) => {
    await replaced.setTimeout(delayMs, undefined, options);
  };
}

function replaceDate(): void {
  const RealDate = Date;
  const { now } = RealDate;
  const format = (): string => RealDate();
  RealDate.now = () => current?.now() ?? now();
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args: unknown[], newTarget): object => {
      const given = args.length === 0 && current ? [current.now()] : args;
      return Reflect.construct(target, given, newTarget) as object;
    },
    apply: () => (current ? new RealDate(current.now()).toString() : format()),
  });
  RealDate.prototype.constructor = globalThis.Date;
  const monotonic = performance.now.bind(performance);
  performance.now = () => current?.monotonic() ?? monotonic();
  const { hrtime } = process;
  const replacedHrtime = (earlier?: [number, number]): [number, number] => {
    if (!current) return hrtime(earlier);
    const ms = current.monotonic();
    const [seconds, nanos] = [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];
    if (!earlier) return [seconds, nanos];
    const difference = (seconds - earlier[0]) * 1e9 + nanos - earlier[1];
    return [Math.floor(difference / 1e9), difference % 1e9];
  };
  process.hrtime = Object.assign(replacedHrtime, {
    bigint: () => (current ? BigInt(Math.round(current.monotonic() * 1e6)) : hrtime.bigint()),
  });
}

function replaceRandom(): void {
  const { random } = Math;
  Math.random = () => current?.randomNumber() ?? random();
  const own = { ...pick(crypto, ['randomUUID', 'randomBytes', 'randomInt', 'getRandomValues', 'randomFillSync']) };
  const bytes = (world: WorldGlobals, size: number): Buffer => Buffer.from(world.hex(size), 'hex');
  const uuid = (...args: unknown[]): unknown => (current ? toUuid(current.hex(16)) : call(own['randomUUID'], ...args));
  const fill =
    (name: string) =>
    (array: NodeJS.TypedArray, ...args: unknown[]): unknown => {
      if (!current) return call(own[name], array, ...args);
      new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(bytes(current, array.byteLength));
      return array;
    };
  const replaced = {
    randomUUID: uuid,
    randomBytes: (size: number, callback?: (error: null, bytes: Buffer) => void): unknown => {
      const world = current;
      if (!world) return callback ? call(own['randomBytes'], size, callback) : call(own['randomBytes'], size);
      const made = bytes(world, size);
      if (!callback) return made;
      world.turn(() => callback(null, made), '');
      return undefined;
    },
    randomInt: (first: number, second?: number | Callback, callback?: Callback): unknown => {
      const world = current;
      if (!world) return call(own['randomInt'], ...[first, second, callback].filter((each) => each !== undefined));
      const [min, max] = typeof second === 'number' ? [first, second] : [0, first];
      const done = typeof second === 'function' ? second : callback;
      const value = min + Math.floor(world.randomNumber() * (max - min));
      if (!done) return value;
      world.turn(() => done(null, value), '');
      return undefined;
    },
    randomFillSync: fill('randomFillSync'),
  };
  Object.assign(crypto, replaced);
  const { webcrypto } = crypto;
  Object.defineProperty(webcrypto, 'randomUUID', { value: uuid, configurable: true });
  const values = webcrypto.getRandomValues.bind(webcrypto);
  Object.defineProperty(webcrypto, 'getRandomValues', {
    value: (array: NodeJS.TypedArray) => (current ? fill('getRandomValues')(array) : values(array as never)),
    configurable: true,
  });
}

/** A UUID of version 4 of random digits. */
export function toUuid(hex: string): string {
  const variant = ((parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16);
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20),
  ];
  return parts.join('-');
}

function pick(from: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, (from as Record<string, unknown>)[name]]));
}

function call(target: unknown, ...args: unknown[]): unknown {
  return (target as (...args: unknown[]) => unknown)(...args);
}
