import { ownMember } from '../base/own-member.js';
import { objectKey } from '../api/objects/object-key.js';
import { RequestError } from '../base/http-server/request-error.js';
import { isJsonObject } from '../base/json-object.js';
import { parseJson } from '../base/json.js';
import { thrownError } from '../base/thrown-error.js';
import type { KindController } from '../controller/kind-controller.js';
import type { ApiAnswer, ConsoleRequest } from './server/server-access.js';
import { CONSOLE_SOURCE } from './console-source.js';
import type { ConsoleParts } from './console-parts.js';
import type { RunRecord } from './recorder/run-record.js';
import type { CachedObject } from './cached-objects.js';
import { kindId } from './kind-id.js';
import { logLine } from './view/log-line.js';
import { objectDetail } from './view/object-detail.js';
import { objectEvents } from './view/object-events.js';
import { objectTree } from './view/object-tree.js';
import type {
  CacheList,
  Finding,
  FindingList,
  LineLevel,
  LogPage,
  MetricsHistory,
  ObjectPage,
  RunPage,
  RuntimeState,
  WhyReport,
} from './wire.js';

const DEFAULT_ROWS = 500;
const MOST_ROWS = 5000;
const DEFAULT_RUNS = 100;
const MOST_RUNS = 500;
const DEFAULT_LINES = 500;
const MOST_LINES = 5000;
const RUNS_OF_WHY = 10;
const LEVELS: readonly LineLevel[] = ['debug', 'info', 'warn', 'error'];

type Handler = (request: ConsoleRequest, argument: string) => object | Promise<object>;

/** Answers the requests of HTTP API v1; `wire.ts` lists the routes. */
export class ConsoleApi {
  constructor(private readonly parts: ConsoleParts) {}

  async answer(request: ConsoleRequest): Promise<ApiAnswer> {
    const route = routeOf(request);
    if (route === 'GET stream') return { stream: this.stream(request) };
    if (request.method === 'POST' && this.parts.mode === 'read-only')
      throw new RequestError(405, 'this console is read-only: the operator runs on a cluster');
    const handler = ownMember(this.routes, route);
    if (!handler) throw new RequestError(404, 'not found');
    return { status: 200, json: await handler(request, request.path[1] ?? '') };
  }

  private stream({ query, headers }: ConsoleRequest) {
    const lastId = headers['last-event-id'];
    return this.parts.streams.open(query.get('topics') ?? '', typeof lastId === 'string' ? lastId : undefined);
  }

  private readonly routes: Readonly<Record<string, Handler>> = {
    'GET hello': () => this.parts.hello(),
    'GET objects': ({ query }) => this.objects(query),
    'GET find': ({ query }) => this.find(query),
    'GET objects/*': (_, uid) => this.detail(this.object(uid)),
    'GET objects/*/tree': (_, uid) => this.tree(this.object(uid)),
    'GET objects/*/events': (_, uid) =>
      objectEvents(this.object(uid), this.parts.client, this.parts.objects.visibility),
    'GET objects/*/runs': ({ query }, uid) => this.runPage(this.runsOf(this.object(uid)), query),
    'GET runs': ({ query }) => {
      const controller = query.get('controller');
      const all = this.parts.history.all();
      return this.runPage(controller === null ? all : all.filter((run) => run.controller === controller), query);
    },
    'GET runs/*': (_, id) => this.run(id),
    'GET why/*': (_, uid) => this.why(this.object(uid)),
    'GET runtime': () => this.parts.runtime.state(),
    'GET caches': (): CacheList => ({ caches: this.parts.runtime.caches() }),
    'GET logs': ({ query }) => this.logs(query),
    'GET metrics': (): MetricsHistory => ({ samples: this.parts.metrics.samples }),
    'GET doctor': (): FindingList => ({ findings: this.parts.findings() }),
    'GET schema/*': (_, kind) => this.schema(kind),
    'POST reconcile/*': (_, uid) => this.reconcile(this.object(uid)),
    'POST pause/*': (_, controller) => this.control(controller, (stepping) => stepping.pause()),
    'POST resume/*': (_, controller) => this.control(controller, (stepping) => stepping.resume()),
    'POST step/*': (_, controller) => this.control(controller, (stepping) => stepping.step()),
    'POST validate': (request) => this.parts.writes.apply(textOf(request), true),
    'POST apply': (request) => this.parts.writes.apply(textOf(request), false),
    'POST delete': (request) => this.delete(request),
  };

  private objects(query: URLSearchParams): ObjectPage {
    const { objects, rows } = this.parts;
    const [kind, namespace, q, after] = ['kind', 'namespace', 'q', 'after'].map((name) => query.get(name));
    const matching = [...objects.all(kind ?? undefined)].filter(
      ({ object: { metadata } }) =>
        (namespace === null || namespace === undefined || metadata.namespace === namespace) &&
        (!q || objectKey({ metadata }).includes(q)),
    );
    const sorted = matching
      .map((cached) => ({ cached, place: placeOf(cached) }))
      .sort((a, b) => (a.place < b.place ? -1 : 1));
    const limit = countOf(query, 'limit', DEFAULT_ROWS, MOST_ROWS);
    const rest = after ? sorted.filter(({ place }) => place > after) : sorted;
    const page = rest.slice(0, limit);
    const last = page.at(-1);
    return {
      rows: page.map(({ cached }) => rows.row(cached)),
      total: sorted.length,
      ...(rest.length > page.length && last && { next: last.place }),
    };
  }

  /** Objects by names as kubectl accepts them. */
  private find(query: URLSearchParams): ObjectPage {
    const [kind = '', namespace, name] = ['kind', 'namespace', 'name'].map((member) => query.get(member) ?? '');
    const { objects, rows } = this.parts;
    const wanted = kind.toLowerCase();
    const kinds = objects.kinds().filter((info) => kindNames(info, objects.shortNamesOf(info.id)).includes(wanted));
    if (kinds.length === 0) {
      const known = objects.kinds().map((info) => info.id);
      throw new RequestError(404, `unknown kind "${kind}"; the kinds are ${known.join(', ')}`);
    }
    const found = kinds
      .flatMap(({ id }) => [...objects.all(id)])
      .filter(
        ({ object: { metadata } }) =>
          (name === '' || metadata.name === name) && (!namespace || metadata.namespace === namespace),
      );
    return { rows: found.slice(0, MOST_ROWS).map((cached) => rows.row(cached)), total: found.length };
  }

  private async detail(cached: CachedObject): Promise<object> {
    const { client, objects, rows, conditions, uncached } = this.parts;
    const { kind, object, cluster } = cached;
    const { name, namespace } = object.metadata;
    const { part, ...whole } = kind;
    const live =
      (part === undefined && !uncached.find(object.metadata.uid ?? '')) || cluster !== undefined
        ? undefined
        : await client.get(whole, name, { namespace, retries: 0, timeout: '5s' }).catch(() => undefined);
    return objectDetail(cached, { objects, rows, conditions, live });
  }

  private async tree(cached: CachedObject): Promise<object> {
    const { objects, rows, uncached } = this.parts;
    return objectTree(cached, objects, rows, await uncached.below(cached));
  }

  private run(id: string): object {
    const record = this.parts.history.get(id);
    if (!record) throw new RequestError(404, 'this run is not kept any more');
    return this.parts.runs.detail(record);
  }

  private why(cached: CachedObject): WhyReport {
    const { rows, runs } = this.parts;
    return {
      row: rows.row(cached),
      runs: this.runsOf(cached)
        .slice(0, RUNS_OF_WHY)
        .map((record) => runs.detail(record)),
      findings: this.findingsFor(cached),
    };
  }

  /** The findings about an object, and those about all objects of one of its controllers. */
  private findingsFor({ kind, cluster, object: { metadata } }: CachedObject): Finding[] {
    const controllers = this.parts.objects.controllersOf(kindId(kind)).filter((member) => member.cluster === cluster);
    return this.parts.findings().filter(({ object, controller }) => {
      if (object) return object.uid !== undefined && object.uid === metadata.uid;
      return controllers.some(({ item }) => item.name === controller);
    });
  }

  private runsOf(cached: CachedObject): RunRecord[] {
    const { rows, history } = this.parts;
    const runs = rows.runObjectsOf(cached).flatMap((name) => history.of(name));
    return runs.sort((a, b) => b.startMs - a.startMs);
  }

  private runPage(all: readonly RunRecord[], query: URLSearchParams): RunPage {
    const before = query.get('before');
    const start = before === null ? 0 : all.findIndex(({ id }) => id === before) + 1;
    const page = all.slice(start, start + countOf(query, 'limit', DEFAULT_RUNS, MOST_RUNS));
    const last = page.at(-1);
    return {
      runs: page.map((record) => this.parts.runs.summary(record)),
      dropped: this.parts.history.dropped,
      ...(last && all.at(-1) !== last && { next: last.id }),
    };
  }

  private logs(query: URLSearchParams): LogPage {
    const level = LEVELS.indexOf((query.get('level') ?? 'debug') as LineLevel);
    const run = query.get('run');
    const after = countOf(query, 'after', 0, Number.MAX_SAFE_INTEGER);
    const lines = this.parts.logs
      .after(after)
      .filter((line) => LEVELS.indexOf(line.level) >= level && (run === null || line.fields['reconcileID'] === run));
    const limit = countOf(query, 'limit', DEFAULT_LINES, MOST_LINES);
    return { lines: lines.slice(-limit).map((line) => logLine(line)), dropped: this.parts.logs.dropped };
  }

  private schema(kind: string): object {
    const schema = this.parts.schemaOf(kind);
    if (!schema) throw new RequestError(404, `the schema of ${kind} is not known`);
    return schema;
  }

  private reconcile(cached: CachedObject): object {
    const key = objectKey(cached.object);
    const controllers = this.parts.objects
      .controllersOf(kindId(cached.kind))
      .filter(({ cluster }) => cluster === cached.cluster);
    const accepted = controllers.filter(({ item }) => item.reconcileNow(key, CONSOLE_SOURCE));
    if (accepted.length === 0) throw new RequestError(409, 'no controller of this process reconciles the object');
    return { accepted: true };
  }

  /** Pauses or resumes a controller, in all clusters. */
  private control(name: string, act: (stepping: KindController['stepping']) => void): RuntimeState {
    const { objects, runtime } = this.parts;
    const found = objects.controllers.filter(({ item }) => item.name === name);
    if (found.length === 0) throw new RequestError(404, 'no controller has this name');
    for (const { item } of found) act(item.stepping);
    return runtime.state();
  }

  private delete({ body }: ConsoleRequest): Promise<object> {
    const { uid, dryRun } = jsonOf(body);
    if (typeof uid !== 'string') throw new RequestError(400, 'uid must be a string');
    return this.parts.writes.delete(this.object(uid), dryRun === true);
  }

  private object(uid: string): CachedObject {
    const cached = this.parts.objects.find(uid) ?? this.parts.uncached.find(uid);
    if (!cached) throw new RequestError(404, 'the object is not cached; it may be deleted');
    return cached;
  }
}

/** The object in the body of a write: YAML, or text in JSON. */
function textOf({ body, headers }: ConsoleRequest): string {
  if (!(headers['content-type'] ?? '').toLowerCase().startsWith('application/json')) return body;
  const { object } = jsonOf(body);
  if (typeof object !== 'string') throw new RequestError(400, 'object must be a string with YAML');
  return object;
}

function jsonOf(body: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseJson(body);
  } catch (error) {
    throw new RequestError(400, `the body is not valid JSON: ${thrownError(error).message.slice(0, 200)}`);
  }
  if (!isJsonObject(value)) throw new RequestError(400, 'the body must be a JSON object');
  return value;
}

function countOf(query: URLSearchParams, name: string, fallback: number, most: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  if (!/^\d{1,15}$/.test(text)) throw new RequestError(400, `${name} must be a whole number`);
  return Math.min(Number(text), most);
}

function placeOf({ kind, object: { metadata } }: CachedObject): string {
  return `${kindId(kind)} ${metadata.namespace ?? ''} ${metadata.name} ${metadata.uid ?? ''}`;
}

function kindNames(
  { kind, plural, group }: { kind: string; plural: string; group: string },
  short: readonly string[],
): string[] {
  const names = [kind.toLowerCase(), plural, ...short];
  return [...names, ...names.map((name) => `${name}.${group}`)];
}

/** Returns a name for the routes of a path: its second part is an asterisk, as in the keys of `routes`. */
function routeOf({ method, path: [first = '', argument = '', ...rest] }: ConsoleRequest): string {
  return [`${method} ${first}`, ...(argument === '' ? [] : ['*']), ...rest.filter((part) => part !== '')].join('/');
}
