import { deepEqual } from '../base/deep-equal.js';
import type { CustomResourceDefinition } from '../api/kinds/kinds.js';
import type { DefinitionNames, DefinitionVersion } from '../api/kinds/definition-parts.js';
import type { Options } from './values/value-options.js';

/** Annotations that other tools manage. */
const FOREIGN_ANNOTATIONS = [
  'controller-gen.kubebuilder.io/version',
  'kubectl.kubernetes.io/last-applied-configuration',
];

/** Returns the options of `@Kind`; the storage version has the conversion options. */
export function kindOptions(
  definition: CustomResourceDefinition,
  version: DefinitionVersion,
  className: string,
): Options {
  const { metadata, spec } = definition;
  return filled({
    group: spec.group,
    version: version.name,
    ...nameOptions(spec.names, version.name, className),
    scope: spec.scope === 'Namespaced' ? undefined : spec.scope,
    shortNames: spec.names.shortNames,
    categories: spec.names.categories,
    annotations: ownAnnotations(metadata.annotations),
    labels: metadata.labels,
    ...(version.storage && storageOptions(spec)),
    preserveUnknownFields: spec.preserveUnknownFields === false ? false : undefined,
    ...versionOptions(version),
  });
}

function nameOptions(names: DefinitionNames, version: string, className: string): Options {
  const { kind, plural, singular = kind.toLowerCase(), listKind = `${kind}List` } = names;
  return {
    kind: kind === className ? undefined : kind,
    plural,
    singular: singular === kind.toLowerCase() ? undefined : singular,
    listKind: listKind === `${kind}List` ? undefined : listKind,
    anyNames: isUsual(version, kind, listKind) ? undefined : true,
  };
}

function versionOptions({ schema, served, deprecated, deprecationWarning, subresources }: DefinitionVersion): Options {
  const { properties = {} } = schema?.openAPIV3Schema ?? {};
  return {
    served: served ? undefined : false,
    deprecated: deprecated ? (deprecationWarning ?? true) : undefined,
    subresources: subresourcesOption(subresources, Object.hasOwn(properties, 'status')),
  };
}

/** Returns the options that only one version needs. */
function storageOptions({ versions, conversion }: CustomResourceDefinition['spec']): Options {
  return {
    storage: versions.length > 1 ? true : undefined,
    versionOrder: orderOption(versions),
    conversion: conversionOption(conversion),
  };
}

function isUsual(version: string, ...kinds: readonly string[]): boolean {
  const isKind = (name: string): boolean => /^[A-Z][A-Za-z0-9]*$/.test(name) && name.length <= 63;
  return /^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$/.test(version) && kinds.every(isKind);
}

function ownAnnotations(annotations: CustomResourceDefinition['metadata']['annotations'] = {}): Options {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !FOREIGN_ANNOTATIONS.includes(key)));
}

/** Returns the order only if it differs from that of the version names. */
function orderOption(versions: CustomResourceDefinition['spec']['versions']): readonly string[] | undefined {
  const names = versions.map(({ name }) => name);
  return deepEqual(names, names.toSorted()) ? undefined : names;
}

function conversionOption(conversion: CustomResourceDefinition['spec']['conversion']): unknown {
  return conversion?.strategy === 'Webhook' ? conversion.webhook : conversion?.strategy;
}

/** Returns the subresources only if they do not follow from the fields. */
function subresourcesOption(subresources: DefinitionVersion['subresources'], hasField: boolean): Options | undefined {
  if (subresources?.status) return hasField ? undefined : { status: true };
  if (subresources) return {};
  return hasField ? { status: false } : undefined;
}

/** Removes undefined and empty options, such as the labels of a definition without any. */
function filled(options: Options): Options {
  const isEmpty = (value: unknown): boolean =>
    value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
  const isSaid = ([name, value]: [string, unknown]): boolean =>
    value !== undefined && (name === 'subresources' || !isEmpty(value));
  return Object.fromEntries(Object.entries(options).filter(isSaid));
}
