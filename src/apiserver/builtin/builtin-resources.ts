import { ownMember } from '../../base/own-member.js';
import { builtinColumns } from '../table/builtin-columns.js';
import { builtinDefaults } from './builtin-defaults.js';
import { builtinFields } from './builtin-fields.js';
import { builtinStrategy } from './builtin-strategy.js';
import { kubernetesData, type ApiResourceRow } from '../data/data-file.js';
import { builtinCodec } from './builtin-codec.js';
import { goPackage } from '../schema/go-package.js';
import type { Resource, ScalePaths, Subresource } from '../resources/resource.js';
import { selectorText } from '../objects/selector-text.js';

/** Yields all built-in resources. */
export function* builtinResources(): Generator<Resource> {
  for (const { groupVersion, resources } of Object.values(kubernetesData.resources.lists)) {
    for (const row of resources) {
      if (row.name.includes('/')) continue;
      const subresources = resources.filter(({ name }) => name.startsWith(`${row.name}/`));
      yield builtinResource(groupVersion, row, subresources);
    }
  }
}

/** Returns whether the kind is a built-in one of the version. */
export function isKnownKind(apiVersion: string, kind: string): boolean {
  return Object.hasOwn(kubernetesData.types, `${goPackage(apiVersion)}.${kind}`);
}

function builtinResource(apiVersion: string, row: ApiResourceRow, subrows: readonly ApiResourceRow[]): Resource {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const { name: plural, kind } = row;
  const subresources = new Map(
    subrows.map((sub) => [sub.name.slice(plural.length + 1), subresourceOf(sub, group, version)]),
  );
  const hasStatus = subresources.has('status');
  // Created lazily: there are many resources, and a server uses few.
  let codec: Resource['codec'] | undefined;
  return {
    group,
    version,
    apiVersion,
    plural,
    singular: row.singularName,
    kind,
    listKind: `${kind}List`,
    namespaced: row.namespaced,
    verbs: new Set(row.verbs),
    shortNames: row.shortNames ?? [],
    categories: row.categories ?? [],
    subresources,
    // The Events of both groups share one collection.
    storage: group === '' || group === 'events.k8s.io' ? plural : `${plural}.${group}`,
    get codec() {
      return (codec ??= builtinCodec({
        struct: `${goPackage(apiVersion)}.${kind}`,
        apiVersion,
        kind,
        applyDefaults: builtinDefaults(group, kind),
      }));
    },
    strategy: builtinStrategy(group, plural),
    selectableFields: builtinFields(group, plural),
    get columns() {
      return builtinColumns(group, version, kind);
    },
    ...(subresources.has('scale') && { scale: scalePaths(group, plural) }),
    isCustom: false,
    hasStatus,
    deprecationWarning: group === '' ? ownMember(DEPRECATED, plural) : undefined,
  };
}

const DEPRECATED: Readonly<Record<string, string>> = {
  componentstatuses: 'v1 ComponentStatus is deprecated in v1.19+',
  endpoints: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
};

function subresourceOf(row: ApiResourceRow, group: string, version: string): Subresource {
  return {
    name: row.name.slice(row.name.indexOf('/') + 1),
    kind: row.kind,
    group: row.group ?? group,
    version: row.version ?? version,
    verbs: new Set(row.verbs),
  };
}

function scalePaths(group: string, plural: string): ScalePaths {
  const specReplicas = ['spec', 'replicas'];
  const older = plural === 'replicasets' ? ['v1beta2'] : ['v1beta2', 'v1beta1'];
  const versions = group === '' ? ['v1'] : ['v1', ...older].map((version) => `${group}/${version}`);
  return {
    specReplicas,
    replicasIn: (apiVersion) => (versions.includes(apiVersion) ? specReplicas : undefined),
    statusReplicas: ['status', 'replicas'],
    selector: ({ spec }) => selectorText((spec as { selector?: unknown } | undefined)?.selector),
  };
}
