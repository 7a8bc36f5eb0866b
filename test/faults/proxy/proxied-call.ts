export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deletecollection';

/** The verb and object of a request to an API server, from its path and method. */
export interface ApiRequest {
  readonly verb: Verb;
  /** Empty for the core group, and for paths that are not resources. */
  readonly group: string;
  /** Plural name; empty for paths that are not resources, such as `/version`. */
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  /** Empty for collections; for creates the name in the body. */
  readonly name: string;
}

/** One request that the proxy received, with its course so far. */
export interface ProxiedCall extends ApiRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly receivedMs: number;
  /** Status of the API server's response; undefined before it, and if the request was not forwarded. */
  status?: number;
  /** Status that the client received; undefined before it, for watches that were relayed, and if it received none. */
  answeredStatus?: number;
  /** Time at which the response was sent or withheld; undefined while the call is in progress. */
  endedMs?: number;
}

const WRITES: ReadonlySet<Verb> = new Set(['create', 'update', 'patch', 'apply', 'delete', 'deletecollection']);

export function isWrite({ verb }: Pick<ApiRequest, 'verb'>): boolean {
  return WRITES.has(verb);
}

/** Parses a request by the path rules of the Kubernetes API. */
// eslint-disable-next-line complexity -- one branch per form of a path
export function parseApiRequest(method: string, url: URL, contentType: string, body: Buffer): ApiRequest {
  const parts = url.pathname
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
  const isCore = parts[0] === 'api';
  if (!isCore && parts[0] !== 'apis') return { ...NO_RESOURCE, verb: verbOf(method, '', url, contentType) };
  const group = isCore ? '' : (parts[1] ?? '');
  let rest = parts.slice(isCore ? 2 : 3);
  let namespace = '';
  if (rest[0] === 'namespaces' && rest.length > 2 && !NAMESPACE_SUBRESOURCES.has(rest[2] ?? '')) {
    namespace = rest[1] ?? '';
    rest = rest.slice(2);
  }
  const [resource = '', pathName = '', ...subresource] = rest;
  const verb = verbOf(method, pathName, url, contentType);
  const name = verb === 'create' && pathName === '' ? nameIn(body) : pathName;
  return { verb, group, resource, subresource: subresource.join('/'), namespace, name };
}

const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);
const NO_RESOURCE = { group: '', resource: '', subresource: '', namespace: '', name: '' };

// eslint-disable-next-line complexity -- one branch per verb
function verbOf(method: string, name: string, url: URL, contentType: string): Verb {
  if (method === 'GET' || method === 'HEAD') {
    if (url.searchParams.get('watch') === 'true' || url.searchParams.get('watch') === '1') return 'watch';
    return name === '' ? 'list' : 'get';
  }
  if (method === 'POST') return 'create';
  if (method === 'PUT') return 'update';
  if (method === 'PATCH') return contentType.includes('apply-patch') ? 'apply' : 'patch';
  return name === '' ? 'deletecollection' : 'delete';
}

function nameIn(body: Buffer): string {
  try {
    const { metadata } = JSON.parse(body.toString()) as { metadata?: { name?: string } };
    return metadata?.name ?? '';
  } catch {
    return '';
  }
}
