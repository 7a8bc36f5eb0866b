import { ownMember } from '../../base/own-member.js';

/** The attributes of a request in RBAC's terms. */
export interface RequestInfo {
  readonly verb: string;
  readonly isResource: boolean;
  readonly apiVersion: string;
  readonly group: string;
  readonly plural: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly subresource: string;
  /** True when the path contains a namespace. */
  readonly inNamespace: boolean;
  /** True for the paths that watch with any method: `/api/v1/watch/pods`. */
  readonly isWatchPath: boolean;
  /** True when the path has further segments. */
  readonly hasMore: boolean;
}

const VERBS: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

const NO_RESOURCE = {
  isResource: false,
  apiVersion: '',
  group: '',
  plural: '',
  namespace: undefined,
  name: '',
  subresource: '',
  inNamespace: false,
  isWatchPath: false,
  hasMore: false,
} as const;

/** Parses path and method as RBAC does. */
export function requestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const parts = decoded(path)
    .split('/')
    .filter((part) => part !== '');
  const verb = ownMember(VERBS, method) ?? '';
  if (parts[0] === 'api')
    parts.splice(1, 0, ''); // the core group, as if it had a name
  else if (parts[0] !== 'apis') return { verb: method.toLowerCase(), ...NO_RESOURCE };
  const [, group = '', version = '', ...rest] = parts;
  if (rest.length === 0) return { verb: method.toLowerCase(), ...NO_RESOURCE };
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const isWatchPath = rest[0] === 'watch';
  const target = readTarget(isWatchPath ? rest.slice(1) : rest);
  const actual = isWatchPath ? 'watch' : collectionVerb(verb, target.name, query);
  return { isResource: true, apiVersion, group, ...target, verb: actual, isWatchPath };
}

/** Decodes the path as a whole, like Go: an escaped slash separates segments. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function readTarget(
  rest: readonly string[],
): Omit<RequestInfo, 'apiVersion' | 'group' | 'isResource' | 'isWatchPath' | 'verb'> {
  const [first = '', second = '', third] = rest;
  const inNamespace =
    first === 'namespaces' && third !== undefined && !(rest.length === 3 && NAMESPACE_SUBRESOURCES.has(third));
  const namespace = first === 'namespaces' && second !== '' ? second : undefined;
  return { ...readObject(inNamespace ? rest.slice(2) : rest), namespace, inNamespace };
}

function readObject([plural = '', name = '', subresource = '', ...more]: readonly string[]): Pick<
  RequestInfo,
  'plural' | 'name' | 'subresource' | 'hasMore'
> {
  // The segments after a proxy subresource are a path of the target.
  return { plural, name, subresource, hasMore: more.length > 0 && subresource !== 'proxy' };
}

function collectionVerb(verb: string, name: string, query: URLSearchParams): string {
  if (name !== '') return verb;
  const watch = query.get('watch');
  const isWatch = watch !== null && watch !== '0' && watch.toLowerCase() !== 'false';
  if (verb === 'get') return isWatch ? 'watch' : 'list';
  return verb === 'delete' ? 'deletecollection' : verb;
}
