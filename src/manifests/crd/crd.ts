import { resourceName } from '../../api/kinds/kind-ref.js';
import type { CustomResourceDefinition } from '../../api/kinds/kinds.js';
import type { UnstructuredObject } from '../../api/objects/kube-object.js';
import type { ScaleOptions } from '../../resource/decorators/scale.js';
import { storedVersion } from '../../resource/kinds/versions.js';
import type { ResourceModel } from '../../resource/model.js';
import { openApiSchema } from './schema.js';

/** The CustomResourceDefinition of the versions of a kind, equal to that of controller-gen for the same types in Go. */
export function customResourceDefinition(
  ...versions: readonly ResourceModel[]
): CustomResourceDefinition & UnstructuredObject {
  const [first] = versions;
  if (!first) throw new TypeError('a kind has at least one version');
  const { kind } = first;
  const annotations = Object.assign({}, ...versions.map((version) => version.annotations)) as Record<string, string>;
  const labels = Object.assign({}, ...versions.map((version) => version.labels)) as Record<string, string>;
  const definition: UnstructuredObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: resourceName(kind), ...ifAny('annotations', annotations), ...ifAny('labels', labels) },
    spec: {
      group: kind.group,
      names: names(versions, first),
      scope: kind.scope,
      versions: versions.map((model) => version(model, model === storedVersion(versions))),
      ...conversion(versions),
      ...(versions.some((model) => model.version.preserveUnknownFields === false) && { preserveUnknownFields: false }),
    },
  };
  return sortedKeys(definition) as CustomResourceDefinition & UnstructuredObject;
}

/** The names of all versions; each may be set in any one of them. */
function names(versions: readonly ResourceModel[], { kind }: ResourceModel) {
  const lowerCase = kind.kind.toLowerCase();
  const usualListKind = `${kind.kind}List`;
  return {
    kind: kind.kind,
    listKind: versions.map(({ listKind }) => listKind).find((name) => name !== usualListKind) ?? usualListKind,
    plural: kind.plural,
    singular: versions.map(({ singular }) => singular).find((singular) => singular !== lowerCase) ?? lowerCase,
    ...ifAny('shortNames', versions.map(({ shortNames }) => shortNames).find(isFilled) ?? []),
    ...ifAny('categories', versions.map(({ categories }) => categories).find(isFilled) ?? []),
  };
}

function conversion(versions: readonly ResourceModel[]) {
  const stated = versions.map(({ version: { conversion: given } }) => given).find((given) => given !== undefined);
  if (stated === undefined) return {};
  return { conversion: stated === 'None' ? { strategy: 'None' } : { strategy: 'Webhook', webhook: stated } };
}

function version(model: ResourceModel, isStored: boolean) {
  const { served, isDeprecated, deprecationWarning, listsSubresources } = model.version;
  const { hasStatus, scale } = model;
  const subresources = { ...(hasStatus && { status: {} }), ...(scale && { scale: ownPaths(scale) }) };
  const printColumns = model.printColumns.map(({ anyPath: _, ...column }) => column);
  const selectableFields = model.selectableFields.map((jsonPath) => ({ jsonPath }));
  return {
    name: model.kind.version,
    served,
    storage: isStored,
    ...(isDeprecated && { deprecated: true }),
    ...(deprecationWarning !== undefined && { deprecationWarning }),
    schema: { openAPIV3Schema: openApiSchema(model) },
    ...ifAny('additionalPrinterColumns', printColumns),
    ...ifAny('selectableFields', selectableFields),
    ...(listsSubresources ? { subresources } : ifAny('subresources', subresources)),
  };
}

function ownPaths({ anyPath: _, ...paths }: ScaleOptions): Omit<ScaleOptions, 'anyPath'> {
  return paths;
}

function isFilled(list: readonly string[]): boolean {
  return list.length > 0;
}

function ifAny<N extends string, T extends object>(name: N, value: T): { [P in N]?: T } {
  return (Object.keys(value).length > 0 ? { [name]: value } : {}) as { [P in N]?: T };
}

/** A JSON value with the members of its objects sorted by name, without undefined ones. */
function sortedKeys<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => sortedKeys(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, sortedKeys(member as unknown)])) as T;
}
