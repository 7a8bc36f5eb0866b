import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { kubernetesData } from '../data/data-file.js';
import { aggregatedOutcome, aggregatedSubtype } from './aggregated-outcome.js';
import { groupPriority } from './group-priority.js';
import { eachObject } from '../../base/json-object.js';
import { stringAt, type JsonObject } from '../objects/api-object.js';
import type { Resource } from '../resources/resource.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import { json, type Outcome } from '../transport/response/outcome.js';

/** A group of custom resources and its versions, the preferred one first. */
export interface CustomGroup {
  readonly group: string;
  readonly versions: readonly string[];
}

/** A group with versions that other servers serve. */
export interface RemoteGroup {
  readonly group: string;
  readonly priority: number;
  /** APIVersionDiscovery objects, the preferred version first. */
  readonly versions: readonly JsonObject[];
}

/** A group in aggregated discovery, with its name. */
interface GroupDiscovery {
  readonly group: string;
  readonly metadata: JsonObject;
  readonly versions: readonly JsonObject[];
}

/** Serves /api, /apis and the paths below, from the data file, the custom resources and the APIServices. */
export class Discovery {
  constructor(
    private readonly resources: ResourceRegistry,
    private readonly customGroups: () => readonly CustomGroup[],
    private readonly remoteGroups: () => readonly RemoteGroup[],
  ) {}

  /** Returns the document of a path; undefined if discovery has none. */
  serve(path: string, { headers }: IncomingMessage): Outcome | undefined {
    const parts = path.split('/').filter((part) => part !== '');
    if (parts[0] === 'api') return this.core(parts, headers);
    if (parts[0] !== 'apis') return undefined;
    if (parts.length === 1) return this.groups(headers);
    if (parts.length === 2) return this.group(parts[1] ?? '');
    return parts.length === 3
      ? this.resourceList(`/${parts.join('/')}`, `${parts[1] ?? ''}/${parts[2] ?? ''}`)
      : undefined;
  }

  /** Returns all paths with a document. */
  paths(): string[] {
    const groups = this.groupList().groups as { name: string; versions: { groupVersion: string }[] }[];
    const below = groups.flatMap(({ name, versions }) => [name, ...versions.map(({ groupVersion }) => groupVersion)]);
    return ['/api', '/api/v1', '/apis', '/apis/', ...below.map((path) => `/apis/${path}`)];
  }

  private core(parts: readonly string[], headers: IncomingHttpHeaders): Outcome | undefined {
    if (parts.length === 2) return this.resourceList(`/${parts.join('/')}`, parts[1] ?? '');
    if (parts.length > 2) return undefined;
    const subtype = aggregatedSubtype(headers.accept ?? '');
    if (subtype) return aggregatedOutcome(kubernetesData.resources.core, subtype, headers['if-none-match']);
    const serverAddressByClientCIDRs = [{ clientCIDR: '0.0.0.0/0', serverAddress: headers.host ?? '127.0.0.1' }];
    return json(200, { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs });
  }

  private groups(headers: IncomingHttpHeaders): Outcome {
    const subtype = aggregatedSubtype(headers.accept ?? '');
    return subtype
      ? aggregatedOutcome(this.groupDiscovery(), subtype, headers['if-none-match'])
      : json(200, this.groupList());
  }

  private groupList(): JsonObject {
    const builtin = kubernetesData.resources.groups.map(({ metadata, versions }) => ({
      group: stringAt(metadata, 'name'),
      versions: versionNames(versions),
    }));
    const remote = this.remoteGroups().map((group) => ({ ...group, versions: versionNames(group.versions) }));
    const custom = this.customGroups().toSorted((a, b) => compareText(serviceName(a), serviceName(b)));
    const groups = merged([...builtin, ...custom], remote);
    return {
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: groups.map(({ group, versions }) => apiGroup(group, versions)),
    };
  }

  private group(name: string): Outcome | undefined {
    const groups = this.groupList().groups as JsonObject[];
    const found = groups.find((group) => group.name === name);
    return found && json(200, { kind: 'APIGroup', apiVersion: 'v1', ...found });
  }

  private resourceList(path: string, groupVersion: string): Outcome | undefined {
    const builtin = kubernetesData.resources.lists[path];
    if (builtin) return json(200, builtin);
    if (!this.resources.hasVersion(groupVersion)) return undefined;
    const resources = [...this.resources.resourcesOf(groupVersion)].flatMap((each) => this.resourceRows(each));
    return json(200, { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources });
  }

  private resourceRows(resource: Resource): JsonObject[] {
    const { plural, singular, namespaced, kind, verbs, shortNames, categories } = resource;
    const { group, version, storageVersion = version } = resource;
    const isStorageServed = this.resources.find(`${group}/${storageVersion}`, plural) !== undefined;
    const row = {
      name: plural,
      singularName: singular,
      namespaced,
      kind,
      verbs: [...verbs],
      ...(shortNames.length > 0 && { shortNames }),
      ...(categories.length > 0 && { categories }),
      ...(isStorageServed && { storageVersionHash: storageVersionHash(resource) }),
    };
    const below = [...resource.subresources.values()].map((sub) => ({
      name: `${plural}/${sub.name}`,
      singularName: '',
      namespaced,
      ...(sub.group !== resource.group && { group: sub.group, version: sub.version }),
      kind: sub.kind,
      verbs: [...sub.verbs],
    }));
    return [row, ...below];
  }

  private groupDiscovery(): JsonObject[] {
    const local = [...kubernetesData.resources.groups, ...this.customDiscovery()].map(({ metadata, versions }) => ({
      group: stringAt(metadata, 'name'),
      metadata: metadata as JsonObject,
      versions: eachObject(versions),
    }));
    const remote = this.remoteGroups().map((group) => ({ ...group, metadata: { name: group.group } }));
    return merged<GroupDiscovery>(local, remote).map(({ metadata, versions }) => ({ metadata, versions }));
  }

  private customDiscovery(): JsonObject[] {
    const groups = this.customGroups().toSorted((a, b) => compareText(a.group, b.group));
    return groups.map(({ group, versions }) => ({
      metadata: { name: group },
      versions: versions.map((version) => ({
        version,
        resources: [...this.resources.resourcesOf(`${group}/${version}`)]
          .sort((a, b) => compareText(a.plural, b.plural))
          .map(aggregatedResource),
        freshness: 'Current',
      })),
    }));
  }
}

/** Merges the groups of this server and of others in the order of their APIServices' priorities. */
function merged<G extends { readonly group: string; readonly versions: readonly unknown[] }>(
  local: readonly G[],
  remote: readonly (G & { readonly priority: number })[],
): readonly G[] {
  if (remote.length === 0) return local;
  const all = new Map(local.map((each) => [each.group, { ...each, priority: groupPriority(each.group) }]));
  for (const each of remote) {
    const present = all.get(each.group);
    all.set(each.group, present ? { ...present, versions: [...present.versions, ...each.versions] } : each);
  }
  return [...all.values()].sort((a, b) => b.priority - a.priority);
}

/** Returns the first of the names of a group's APIServices; the groups of /apis are in this order. */
function serviceName({ group, versions }: CustomGroup): string {
  const [first = ''] = versions.map((version) => `${version}.${group}`).sort();
  return first;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function versionNames(versions: unknown): string[] {
  return eachObject(versions).map((version) => stringAt(version, 'version'));
}

function apiGroup(name: string, versions: readonly string[]): JsonObject {
  const entries = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: entries, preferredVersion: entries[0] };
}

/** Returns a hash that changes with the stored form, so that clients can detect the change. */
function storageVersionHash({ group, version, storageVersion = version, kind }: Resource): string {
  const hash = createHash('sha256').update(`${group}/${storageVersion}/${kind}`).digest();
  return hash.subarray(0, 8).toString('base64');
}

function aggregatedResource(resource: Resource): JsonObject {
  const { plural, singular, namespaced, kind, group, version, verbs, shortNames, categories } = resource;
  const subresources = [...resource.subresources.values()].map((sub) => ({
    subresource: sub.name,
    responseKind: { group: sub.group, version: sub.version, kind: sub.kind },
    verbs: [...sub.verbs],
  }));
  return {
    resource: plural,
    responseKind: { group, version, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: [...verbs],
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && { subresources }),
  };
}
