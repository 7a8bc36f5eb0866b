import type { ApiCall } from './api-endpoint.js';
import { core, group } from './scenario.js';

type Random = () => number;

/** Numbers from a seed: the same seed, the same requests (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const NAMES = ['ra', 'rb', 'rc'];
const MANAGERS = ['one', 'two', 'three'];
const KEYS = ['x', 'y', 'z'];

/** An endless mix of requests for a built-in kind and a custom one, valid and not. */
export function* randomCalls(seed: number): Generator<ApiCall, never> {
  const random = seeded(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const maybe = (share: number, value: object): object => (random() < share ? value : {});
  for (;;) yield random() < 0.5 ? configMapCall(pick, maybe) : widgetCall(pick, maybe);
}

type Pick = <T>(items: readonly T[]) => T;
type Maybe = (share: number, value: object) => object;

function metadata(name: string, pick: Pick, maybe: Maybe): object {
  return {
    name,
    ...maybe(0.3, { labels: { [pick(KEYS)]: pick(['a', 'b', '', 'bad value']) } }),
    ...maybe(0.2, { annotations: { [pick(KEYS)]: pick(['1', '2']) } }),
    ...maybe(0.1, { finalizers: pick([['example.com/f'], ['bad'], []]) }),
  };
}

function configMapCall(pick: Pick, maybe: Maybe): ApiCall {
  const name = pick(NAMES);
  const data = {
    ...maybe(0.6, { [pick(KEYS)]: pick(['1', '2']) }),
    ...maybe(0.5, { [pick(KEYS)]: pick(['1', '3']) }),
    ...maybe(0.04, { 'a b': '' }),
  };
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata(name, pick, maybe),
    ...maybe(0.9, { data }),
    ...maybe(0.05, { odd: 1 }),
  };
  const change = {
    data: { [pick(KEYS)]: pick(['4', null]) },
    ...maybe(0.3, { metadata: { labels: { [pick(KEYS)]: pick(['c', null]) }, ...maybe(0.3, { finalizers: null }) } }),
  };
  const operations = [
    { op: pick(['add', 'remove', 'replace', 'test']), path: `/data/${pick(KEYS)}`, value: pick(['1', '5']) },
  ];
  return anyCall(core('configmaps'), core('configmaps', name), { object, change, operations, isCustom: false }, pick);
}

function widgetCall(pick: Pick, maybe: Maybe): ApiCall {
  const name = pick(NAMES);
  const port = () => ({
    ...maybe(0.95, { port: pick([1, 2, 3]) }),
    ...maybe(0.4, { protocol: pick(['TCP', 'UDP']) }),
    ...maybe(0.4, { note: pick(['n', 'm']) }),
  });
  const ports = pick([[port()], [port(), port()], []]);
  const spec = {
    ...maybe(0.97, { size: pick([0, 1, 4, 7, 12]) }),
    ...maybe(0.4, { mode: pick(['fast', 'slow']) }),
    ...maybe(0.4, { ports }),
    ...maybe(0.3, { tags: pick([['a'], ['b', 'a'], ['a', 'a'], []]) }),
    ...maybe(0.3, { values: { [pick(KEYS)]: pick(['v', 'w']) } }),
    ...maybe(0.2, { free: { [pick(KEYS)]: pick([1, [1, 2], { a: null }]) } }),
    ...maybe(0.1, { unknown: true }),
  };
  const base = 'fidelity.example.com/v1';
  const object = {
    apiVersion: base,
    kind: 'Widget',
    metadata: metadata(name, pick, maybe),
    spec,
    ...maybe(0.1, { status: { note: 's' } }),
  };
  const change = {
    spec: pick([
      { size: pick([2, 3]) },
      { mode: null },
      { tags: ['c'] },
      { ports: null },
      { values: { [pick(KEYS)]: null } },
    ]),
  };
  const operations = [{ op: pick(['add', 'replace', 'test']), path: '/spec/size', value: pick([1, 2]) }];
  const path = pick([
    group(base, 'widgets', name),
    group(base, 'widgets', name),
    group(base, 'widgets', name, '/status'),
  ]);
  return anyCall(group(base, 'widgets'), path, { object, change, operations, isCustom: true }, pick);
}

interface Bodies {
  readonly object: object;
  readonly change: object;
  readonly operations: readonly object[];
  readonly isCustom: boolean;
}

function anyCall(
  collection: string,
  path: string,
  { object, change, operations, isCustom }: Bodies,
  pick: Pick,
): ApiCall {
  const dryRun = pick(['', '', '', '&dryRun=All']);
  const apply = (force: string): ApiCall => ({
    method: 'PATCH',
    path: `${path}?fieldManager=${pick(MANAGERS)}${force}${dryRun}`,
    contentType: 'application/apply-patch+yaml',
    body: object,
  });
  const patch = (type: string, body: unknown): ApiCall => ({
    method: 'PATCH',
    path: `${path}?fieldManager=${pick(MANAGERS)}${dryRun}`,
    contentType: `application/${type}-patch+json`,
    body,
  });
  return pick<() => ApiCall>([
    () => ({ method: 'POST', path: `${collection}?fieldManager=${pick(MANAGERS)}${dryRun}`, body: object }),
    () => ({ method: 'PUT', path: `${path}?fieldManager=${pick(MANAGERS)}`, body: object }),
    () => apply(''),
    () => apply('&force=true'),
    () => apply('&force=true'),
    () => patch('merge', change),
    () => patch(isCustom ? 'merge' : 'strategic-merge', change),
    () => patch('json', operations),
    () => ({ method: 'GET', path }),
    () => ({ method: 'GET', path: `${collection}?fieldSelector=metadata.name%3D${pick(NAMES)}` }),
    () => ({ method: 'DELETE', path: path.replace('/status', '') }),
  ])();
}
