import { readFileSync } from 'node:fs';
import { capitalized, exportName, groupWord, type VersionedType } from './client-types.ts';
import { apiserverDataFile, unpackApiserverData } from './apiserver-data.ts';

/** A definition of Kubernetes' OpenAPI document. */
export interface OpenApiDefinition extends VersionedType {
  /** `io.k8s.api.core.v1.PodSpec` */
  readonly name: string;
  /** The name of the export. */
  readonly exportName: string;
  /** `k8s.io/api/core/v1` */
  readonly goPackage: string;
  /** True for the objects of a kind, which `kindwright` exports. */
  readonly isKind: boolean;
  /** The reason if it has no schema. */
  readonly refusal?: string;
}

/** Not served as a definition of its own, and a common type of fields. */
const DURATION = 'io.k8s.apimachinery.pkg.apis.meta.v1.Duration';

const APIEXTENSIONS = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';
const SEVERAL_TYPES = 'takes values of several types, which no structural schema can tell';

/** Types that controller-gen exits with an error for. */
const REFUSED: Readonly<Record<string, string>> = {
  [`${APIEXTENSIONS}.JSONSchemaPropsOrArray`]: SEVERAL_TYPES,
  [`${APIEXTENSIONS}.JSONSchemaPropsOrBool`]: SEVERAL_TYPES,
  [`${APIEXTENSIONS}.JSONSchemaPropsOrStringArray`]: SEVERAL_TYPES,
  // +listType=atomic on caBundle, which is a string in JSON.
  'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIServiceSpec': 'gives a string a list type',
};

/** The definitions of the OpenAPI document that the embedded server has from the real one, by export name. */
export function readDefinitions(): OpenApiDefinition[] {
  const { openapi, resources } = unpackApiserverData(readFileSync(apiserverDataFile));
  const discovery = JSON.parse(resources!.toString()) as Discovery;
  const { v2 } = JSON.parse(openapi!.toString()) as { v2: { definitions: Record<string, object> } };
  const otherVersions = readOtherVersions(discovery);
  const kinds = readKinds(discovery);
  const refusals = refusalsOf(v2.definitions);
  const types = [...Object.keys(v2.definitions), DURATION].map((name) => ({ name, ...locate(name, otherVersions) }));
  return types
    .map((type) => {
      const refusal = refusals.get(type.name);
      const isKind = kinds.has(`${type.group}/${type.version}/${type.kind}`);
      return { ...type, exportName: ownName(type, types), isKind, ...(refusal !== undefined && { refusal }) };
    })
    .sort((a, b) => (a.exportName < b.exportName ? -1 : 1));
}

/** Types with a name that `kindwright` exports with another meaning. */
const NAMES_IN_USE = [
  'DeleteOptions',
  'Duration',
  'ObjectMeta',
  'OwnerReference',
  'SelectableField',
  'Status',
  'StatusDetails',
  'WatchEvent',
  'WebhookConversion',
];

function ownName(type: VersionedType, types: readonly VersionedType[]): string {
  const name = exportName(type, types);
  return NAMES_IN_USE.includes(name) ? `${groupWord(type.group)}${name}` : name;
}

/** Returns true for the definition of a resource's objects. */
export function isDefinitionOf(definition: VersionedType, { group, version, kind }: VersionedType): boolean {
  return (
    definition.kind === kind && definition.version === version && capitalized(definition.group) === groupWord(group)
  );
}

interface Discovery {
  readonly core: readonly DiscoveredGroup[];
  readonly groups: readonly (DiscoveredGroup & { metadata: { name: string } })[];
}

interface DiscoveredGroup {
  readonly metadata: { readonly name?: string };
  readonly versions: readonly { version: string; resources: readonly { responseKind: { kind: string } }[] }[];
}

/** `apps/v1/Deployment`: the kinds of objects. */
function readKinds({ core, groups }: Discovery): ReadonlySet<string> {
  const names = [...core, ...groups].flatMap(({ metadata: { name = 'core' }, versions }) =>
    versions.flatMap(({ version, resources }) =>
      resources.map(({ responseKind }) => `${name.split('.')[0]!}/${version}/${responseKind.kind}`),
    ),
  );
  return new Set(names);
}

/** `autoscaling/v1`: the versions that are not the preferred ones, which come first. */
function readOtherVersions({ groups }: Discovery): ReadonlySet<string> {
  return new Set(
    groups.flatMap(({ metadata, versions }) =>
      versions.slice(1).map(({ version }) => `${metadata.name.split('.')[0]!}/${version}`),
    ),
  );
}

function locate(name: string, otherVersions: ReadonlySet<string>): VersionedType & { goPackage: string } {
  const parts = name.split('.');
  const kind = parts.pop()!;
  const last = parts.at(-1)!;
  const isVersioned = /^v\d/.test(last);
  const group = isVersioned ? parts.at(-2)! : last;
  const version = isVersioned ? last : '';
  const goPackage = ['k8s.io', ...parts.slice(2)].join('/');
  return { group, version, isPreferred: !otherVersions.has(`${group}/${version}`), kind, goPackage };
}

function refusalsOf(definitions: Readonly<Record<string, object>>): Map<string, string> {
  const names = Object.keys(definitions);
  const reached = new Map(names.map((name) => [name, reachedFrom(name, definitions)]));
  const refused = new Map(Object.entries(REFUSED));
  for (const name of names) if (reached.get(name)!.has(name)) refused.set(name, 'contains itself');
  const through = names.flatMap((name): [string, string][] => {
    const cause = [...reached.get(name)!].find((other) => refused.has(other));
    if (refused.has(name) || cause === undefined) return [];
    return [[name, `contains ${cause.split('.').at(-1)!}, which ${refused.get(cause)!}`]];
  });
  return new Map([...refused, ...through]);
}

function reachedFrom(
  name: string,
  definitions: Readonly<Record<string, object>>,
  reached = new Set<string>(),
): Set<string> {
  for (const [, other = ''] of JSON.stringify(definitions[name]).matchAll(/"#\/definitions\/([^"]+)"/g)) {
    if (reached.has(other)) continue;
    reached.add(other);
    reachedFrom(other, definitions, reached);
  }
  return reached;
}
