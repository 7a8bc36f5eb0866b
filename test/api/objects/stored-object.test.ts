import { expect, test } from '@jest/globals';
import {
  Controller,
  CustomResource,
  Dependent,
  Field,
  indexBy,
  Kind,
  ObjectController,
  Owns,
  partOf,
  toKindRef,
  Watches,
  type CacheReader,
  type Client,
  type Context,
  type ConversionFunctions,
  type Informer,
  type InformerFactory,
  type ObjectOf,
  type Review,
} from 'kindwright';
import { review } from 'kindwright/testing';

class Window {
  @Field() since!: Date;
  @Field({ items: Date }) runs!: Date[];

  isOpen(): boolean {
    return this.since.getTime() > 0;
  }
}

class ClockSpec {
  @Field() window!: Window;
  @Field({ values: Date }) byName!: Record<string, Date>;
}

class ClockStatus {
  @Field({ format: 'int32' }) ticks: number = 0;
}

@Kind({ group: 'stored.example.com', version: 'v1' })
class Clock extends CustomResource {
  @Field() spec!: ClockSpec;
  @Field() status!: ClockStatus;

  reconcile(): void {
    this.status.ticks = this.spec.window.since.getTime();
  }
}

/** Fails to compile unless the object has the types of JSON. */
function assertStored({ spec, status }: ObjectOf<typeof Clock>): unknown[] {
  const since: string = spec.window.since;
  const [run = '']: readonly string[] = spec.window.runs;
  const byName: Readonly<Record<string, string>> = spec.byName;
  // @ts-expect-error -- nested classes are plain objects
  const isOpen: unknown = spec.window.isOpen;
  // @ts-expect-error -- the status is absent before its first write
  const ticks: number = status.ticks;
  return [since, run, byName, isOpen, ticks];
}

test('the types of objects that are read are those of JSON, wherever they are read', () => {
  const compiled = async (ctx: Context, client: Client, cache: CacheReader, informers: InformerFactory) => {
    const scope = { namespace: 'default' };
    const isStored = (clock: { readonly spec: { readonly window: { readonly since: string } } }) =>
      clock.spec.window.since.endsWith('Z');
    isStored((await ctx.get(Clock, 'a'))!);
    isStored((await ctx.list(Clock))[0]!);
    isStored(cache.get(Clock, 'a')!);
    isStored(cache.list(Clock)[0]!);
    isStored(informers.lister(Clock).get('a')!);
    informers.informersFor(Clock)[0]!.addEventHandler(({ object }) => void isStored(object));
    assertStored(await client.get(Clock, 'a', scope));
    assertStored((await client.list(Clock)).items[0]!);
    for await (const event of client.watch(Clock)) if (event.type === 'ADDED') assertStored(event.object);
    assertStored(await ctx.apply(Clock, { metadata: { name: 'a' } }));
    assertStored(await ctx.patch(Clock, 'a', {}));
    Watches(Clock, (clock) => [clock.spec.window.since], { predicate: ({ object }) => isStored(object) });
    Owns(Clock, { predicate: ({ object }) => isStored(object) });
    Dependent(Clock, { ready: isStored, deleteWhen: isStored });
    indexBy(Clock, { reads: ['spec.window.since'], values: ({ spec }) => [spec.window.since] });
    partOf(Clock, { fields: ['spec.window.since'], transform: (clock) => (isStored(clock), clock) });
    isStored((await ctx.get(partOf(Clock, { fields: ['spec'] }), 'a'))!);
    Controller({ for: Clock, predicate: ({ object }) => isStored(object) });
    const { object } = await review(Clock, { object: { metadata: { name: 'a' } } });
    return assertStored(object);
  };
  const informer = (of: Informer<ObjectOf<typeof Clock>>): Informer<ObjectOf<typeof Clock>> => of;
  const conversion: ConversionFunctions<Clock, Clock> = {
    up: ({ spec }) => ({ spec: { byName: { a: spec?.window?.since ?? new Date(0) } } }),
    down: ({ spec }) => ({ spec: { byName: { a: spec?.byName?.['a'] } } }),
  };
  const old = ({ old: before }: Review<Clock>): boolean => before?.spec.window.isOpen() === true;
  expect([compiled, informer, conversion, old]).toHaveLength(4);
  expect(toKindRef(Clock).kind).toBe('Clock');
});

test('objects to write may have Dates or strings, and an instance is one', () => {
  const compiled = async (ctx: Context, client: Client, clock: Clock) => {
    const stored = await client.get(Clock, 'a');
    const window = { since: new Date(0), runs: ['2026-01-02T03:04:05Z', new Date(0)] };
    await ctx.apply(Clock, { metadata: { name: 'a' }, spec: { window } });
    await client.create(Clock, { metadata: { name: 'a' }, spec: { window } });
    await client.update(Clock, stored);
    await client.update(Clock, clock);
    await ctx.update(Clock, stored, ({ spec }) => (spec.window.since = new Date(0)));
    await ctx.update(Clock, clock, ({ spec }) => (spec.window.since = '2026-01-02T03:04:05Z'));
    await ctx.delete(Clock, clock);
    await ctx.delete(Clock, stored);
    // @ts-expect-error -- a number is not a date
    await ctx.apply(Clock, { metadata: { name: 'a' }, spec: { window: { since: 5 } } });
    return review(Clock, { object: { metadata: { name: 'a' }, spec: { window } } });
  };
  expect(compiled).toBeInstanceOf(Function);
});

@Controller({ for: Clock })
class ClockTicker extends ObjectController<Clock> {
  reconcile(): void {
    assertStored(this.object);
  }
}

test('the object of a controller of a class is JSON, too', () => {
  expect(ClockTicker).toBeInstanceOf(Function);
});
