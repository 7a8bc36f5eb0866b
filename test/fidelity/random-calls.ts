import type { ApiCall } from './api-endpoint.js';
import { Chooser } from './chooser.js';
import { mutate } from './mutation.js';
import { oddCall } from './odd-calls.js';
import type { RandomAction, RandomKind } from './random-kind.js';
import { NS } from './scenario-calls.js';

export const NAMES = ['ra', 'rb', 'rc'];
const MANAGERS = ['one', 'two', 'three'];
const KEYS = ['x', 'y', 'z'];
const MUTATED_SHARE = 0.12;
const ODD_SHARE = 0.06;
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const METADATA = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';

/** Where the objects of a kind are. */
export function collectionPath(
  { apiVersion, plural, isClusterScoped, namespace = NS }: RandomKind,
  version = apiVersion,
): string {
  const root = version.includes('/') ? `/apis/${version}` : `/api/${version}`;
  return `${root}${isClusterScoped === true ? '' : `/namespaces/${namespace}`}/${plural}`;
}

/** Makes an endless mix of requests for one kind: every verb, subresource and patch type, valid and not. */
export class RandomCalls {
  private readonly choose: Chooser;

  constructor(
    private readonly kind: RandomKind,
    seed: number,
  ) {
    this.choose = new Chooser(seed);
  }

  next(): ApiCall {
    const call = this.plain();
    const isNameless = this.kind.namesItself === true && call.method === 'POST';
    return !isNameless && this.choose.chance(ODD_SHARE) ? oddCall(call, this.choose) : call;
  }

  private plain(): ApiCall {
    const { choose, kind } = this;
    const version = choose.pick([kind.apiVersion, kind.apiVersion, ...(kind.otherVersions ?? [])]);
    const collection = collectionPath(kind, version);
    const name = choose.pick(kind.names ?? NAMES);
    const target = { collection, name, path: `${collection}/${name}`, version };
    const { subresources = [], actions = [] } = kind;
    if (actions.length > 0 && choose.chance(0.06)) return this.actionCall(target, choose.pick(actions));
    if (subresources.length > 0 && choose.chance(0.2)) return this.subresourceCall(target, choose.pick(subresources));
    return choose.pick([
      () => this.create(target),
      () => this.create(target),
      () => this.replace(target),
      () => this.apply(target),
      () => this.apply(target),
      () => this.patch(target),
      () => this.patch(target),
      () => this.read(target),
      () => this.list(target),
      () => this.remove(target),
    ])();
  }

  private create(target: Target): ApiCall {
    const { choose } = this;
    return {
      method: 'POST',
      path: target.collection + this.writeQuery(),
      body: this.body(target, choose.chance(0.03)),
    };
  }

  private replace(target: Target): ApiCall {
    return { method: 'PUT', path: target.path + this.writeQuery(), body: this.body(target, this.choose.chance(0.6)) };
  }

  private apply(target: Target): ApiCall {
    const force = this.choose.pick(['', '&force=true', '&force=true']);
    const body = this.body(target, false);
    const path = target.path + this.writeQuery() + force;
    return { method: 'PATCH', path, contentType: 'application/apply-patch+yaml', body };
  }

  private patch(target: Target): ApiCall {
    const { choose, kind } = this;
    const path = target.path + this.writeQuery();
    const type = choose.pick([
      'merge',
      'strategic-merge',
      'json',
      ...(kind.isCustom === true ? ['merge'] : ['strategic-merge']),
    ]);
    const metadata = choose.maybe(0.3, { metadata: this.metadataChange() });
    const change = { ...kind.change(choose), ...metadata };
    const body = type === 'json' ? this.operations() : this.mutated(change);
    return { method: 'PATCH', path, contentType: `application/${type}-patch+json`, body };
  }

  private operations(): readonly object[] {
    const { choose, kind } = this;
    const label = {
      op: choose.pick(['add', 'remove', 'test', 'odd']),
      path: `/metadata/labels/${choose.pick(KEYS)}`,
      value: 'v',
    };
    return choose.chance(0.2) ? [label] : kind.operations(choose);
  }

  private metadataChange(): object {
    const { choose } = this;
    return {
      labels: { [choose.pick(KEYS)]: choose.pick(['c', null]) },
      ...choose.maybe(0.5, { finalizers: null }),
      ...choose.maybe(0.1, { annotations: null }),
    };
  }

  private read({ path }: Target): ApiCall {
    const accept = this.choose.pick([undefined, undefined, undefined, METADATA, TABLE]);
    return { method: 'GET', path, ...(accept !== undefined && { accept }) };
  }

  private list({ collection, name }: Target): ApiCall {
    const { choose, kind } = this;
    const queries = [
      '',
      `?fieldSelector=metadata.name%3D${name}`,
      `?fieldSelector=metadata.name!%3D${name}`,
      '?fieldSelector=spec.odd%3D1',
      `?labelSelector=${encodeURIComponent(choose.pick(LABEL_SELECTORS))}`,
      `?limit=${choose.pick(['1', '2', '0', '-1', 'x'])}`,
      `?limit=${choose.pick(['1', '2'])}&continue=$continue`,
      '?resourceVersion=0',
      '?resourceVersionMatch=Exact',
      ...(kind.fieldSelectors ?? []).map((selector) => `?fieldSelector=${encodeURIComponent(selector)}`),
    ];
    const accept = choose.pick([undefined, undefined, undefined, METADATA_LIST, TABLE]);
    return { method: 'GET', path: collection + choose.pick(queries), ...(accept !== undefined && { accept }) };
  }

  private remove({ path, collection }: Target): ApiCall {
    const { choose } = this;
    if (this.kind.isTried === true) return { method: 'DELETE', path: `${path}?dryRun=All` };
    const options = { kind: 'DeleteOptions', apiVersion: 'v1' };
    const body = choose.pick<object | undefined>([
      undefined,
      undefined,
      { ...options, propagationPolicy: choose.pick(['Background', 'Foreground', 'Orphan', 'Odd']) },
      {
        ...options,
        preconditions: choose.pick([{ uid: 'other' }, { resourceVersion: '1' }, { resourceVersion: '$version' }]),
      },
      { ...options, dryRun: ['All'] },
      { ...options, gracePeriodSeconds: choose.pick([0, 0, 1]) },
    ]);
    if (this.kind.plural !== 'namespaces' && choose.chance(0.06)) {
      return { method: 'DELETE', path: `${collection}?labelSelector=x%3D${choose.pick(['a', 'b'])}` };
    }
    return { method: 'DELETE', path, ...(body && { body }) };
  }

  private actionCall({ path, name: target }: Target, action: RandomAction): ApiCall {
    const { name, method = 'POST', contentType } = action;
    const body = action.body(this.choose, target);
    return { method, path: `${path}/${name}`, body, ...(contentType !== undefined && { contentType }) };
  }

  private subresourceCall(target: Target, subresource: string): ApiCall {
    const path = `${target.path}/${subresource}`;
    const { choose } = this;
    if (choose.chance(0.2)) return { method: 'GET', path };
    const body = this.subresourceBody(target, subresource);
    if (subresource === 'finalize' || choose.chance(0.4))
      return { method: 'PUT', path: path + this.writeQuery(), body: this.mutated(body) };
    const { apiVersion, kind, metadata, ...change } = body as Record<string, unknown>;
    if (subresource === 'scale' || choose.chance(0.5)) {
      return {
        method: 'PATCH',
        path: path + this.writeQuery(),
        contentType: 'application/merge-patch+json',
        body: change,
      };
    }
    const configuration = { apiVersion, kind, metadata: { name: target.name, ...(metadata as object) }, ...change };
    const query = `${this.writeQuery()}${choose.pick(['', '&force=true'])}`;
    return {
      method: 'PATCH',
      path: path + query,
      contentType: 'application/apply-patch+yaml',
      body: this.mutated(configuration),
    };
  }

  private subresourceBody({ name, version }: Target, subresource: string): object {
    const { choose, kind } = this;
    const metadata = { name, ...(kind.isClusterScoped !== true && { namespace: kind.namespace ?? NS }) };
    if (subresource === 'scale') {
      return {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata,
        spec: choose.pick([{ replicas: 2 }, { replicas: 0 }, { replicas: -1 }, {}]),
      };
    }
    const versioned = choose.maybe(kind.isCustom === true || choose.chance(0.5) ? 1 : 0, {
      resourceVersion: '$version',
    });
    const object = { apiVersion: version, kind: kind.kind, metadata: { ...metadata, ...versioned } };
    if (subresource === 'finalize') return { ...object, spec: { finalizers: choose.pick([[], [], ['kubernetes']]) } };
    return { ...object, ...choose.maybe(0.3, kind.body(choose)), status: kind.status?.(choose) ?? {} };
  }

  private body(target: Target, hasVersion: boolean): object {
    const { choose, kind } = this;
    const metadata = {
      name: target.name,
      ...choose.maybe(0.3, { labels: { [choose.pick(KEYS)]: choose.pick(['a', 'b', '', 'bad value']) } }),
      ...choose.maybe(0.2, { annotations: { [choose.pick(KEYS)]: choose.pick(['1', '2']) } }),
      ...choose.maybe(0.06, { finalizers: choose.pick([['example.com/f'], ['bad'], []]) }),
      ...(hasVersion && { resourceVersion: '$version' }),
    };
    return this.mutated({ apiVersion: target.version, kind: kind.kind, metadata, ...kind.body(choose) });
  }

  private mutated(body: object): object {
    const made = this.choose.chance(MUTATED_SHARE) ? mutate(body, this.choose) : body;
    return this.kind.namesItself === true && !isNamed(made) ? body : made;
  }

  private writeQuery(): string {
    const { choose } = this;
    const dryRun = this.kind.isTried === true ? '&dryRun=All' : choose.pick(['', '', '', '', '&dryRun=All']);
    const validation = choose.pick([
      '',
      '',
      '',
      '&fieldValidation=Strict',
      '&fieldValidation=Ignore',
      '&fieldValidation=Warn',
    ]);
    return `?fieldManager=${choose.pick(MANAGERS)}${dryRun}${validation}`;
  }
}

function isNamed(body: object): boolean {
  const { metadata } = body as { metadata?: { name?: unknown } | null };
  return typeof metadata?.name === 'string' && metadata.name !== '';
}

interface Target {
  readonly collection: string;
  readonly name: string;
  readonly path: string;
  readonly version: string;
}

const LABEL_SELECTORS = ['x=a', 'x', '!x', 'x in (a,b)', 'x notin (a)', 'x!=a,y', 'x==', 'bad value', 'x in a'];
