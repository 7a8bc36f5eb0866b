import { durationMs, type Duration } from '../../base/duration.js';
import { SOURCE, type SourceAuth, type SourceEntry, type SourceMethod } from '../decorators/source.js';
import type { Diagnostics } from '../diagnostics.js';
import { inheritedMetadata } from '../metadata.js';

/** A method that names objects to reconcile, declared by `@Source`. */
export type SourceModel = {
  /** The decorator and its method, for logs and metrics: `@Source poll`. */
  readonly name: string;
  readonly method: string;
  /** The static method, bound to the class. */
  readonly call: (...args: Parameters<SourceMethod>) => ReturnType<SourceMethod>;
} & (
  | { readonly type: 'iterable' }
  | { readonly type: 'poll'; readonly intervalMs: number }
  | { readonly type: 'http'; readonly path: string; readonly auth: SourceAuth; readonly maxBodyBytes: number }
);

type Report = (problem: string, hint: string) => void;
type Target = abstract new (...args: never[]) => object;

const SHORTEST_MS = 100;
const MAX_BODY_BYTES = 1024 * 1024;

/** The sources of a class in source order, those of its base classes first. */
export function sourcesOf(target: Target, diagnostics: Diagnostics): SourceModel[] {
  const found: SourceModel[] = [];
  for (const entry of inheritedMetadata(SOURCE, target)) {
    const report: Report = (problem, hint) => {
      diagnostics.add({ target, member: entry.method }, `@Source: ${problem}`, hint);
    };
    const model = sourceOf(target, entry, report);
    if (!model) continue;
    if (model.type === 'http' && found.some((other) => other.type === 'http' && other.path === model.path))
      report(`path "${model.path}" is used twice`, 'use a different path for each');
    found.push(model);
  }
  return found;
}

function sourceOf(target: Target, entry: SourceEntry, report: Report): SourceModel | undefined {
  const { method, isStatic, options } = entry;
  const member = (target as unknown as Record<string, unknown>)[method];
  if (!isStatic) {
    report('must be on a static method: a source belongs to the kind, not to an object', `static ${method}(context)`);
    return undefined;
  }
  if (typeof member !== 'function') {
    report('must be on a method', `@Source() static async *${method}(context: SourceContext)`);
    return undefined;
  }
  const call = member.bind(target) as SourceModel['call'];
  const common = { name: `@Source ${method}`, method, call };
  if (options.every !== undefined) return { ...common, type: 'poll', intervalMs: intervalOf(options.every, report) };
  if (options.path === undefined) return { ...common, type: 'iterable' };
  collectPath(options.path, report);
  collectAuth(options.auth, report);
  const { path, auth, maxBodyBytes = MAX_BODY_BYTES } = options;
  if (!(Number.isSafeInteger(maxBodyBytes) && maxBodyBytes > 0))
    report(`maxBodyBytes ${maxBodyBytes} is not a positive integer`, 'maxBodyBytes: 65_536');
  return { ...common, type: 'http', path, auth, maxBodyBytes };
}

function intervalOf(every: Duration, report: Report): number {
  const intervalMs = durationMs(every);
  if (intervalMs === undefined || intervalMs < SHORTEST_MS)
    report(`every "${every}" is not a duration of at least ${SHORTEST_MS} ms`, `every: '10s'`);
  return intervalMs ?? SHORTEST_MS;
}

function collectPath(path: string, report: Report): void {
  if (!/^(?:\/[A-Za-z0-9._~-]+)+$/.test(path))
    report(`path "${path}" must consist of slashes and segments of letters, digits and -._~`, `path: '/hooks/tickets'`);
}

/** JavaScript and casts can omit what the type requires. */
function collectAuth(auth: Partial<Record<'bearer' | 'hmac', object>> | undefined, report: Report): void {
  const secret: { readonly env?: unknown; readonly file?: unknown } | undefined = auth?.bearer ?? auth?.hmac;
  const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
  if (!secret || !(isText(secret.env) || isText(secret.file)))
    report('an endpoint requires authentication', `auth: { bearer: { env: 'TICKETS_TOKEN' } }`);
}
