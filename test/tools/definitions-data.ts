import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { load } from 'js-yaml';
import type { JsonSchema } from '../../src/api/schema/json-schema.ts';
import type { DefinitionsData, SchemaRow } from '../../src/resource/definitions/definitions-data.ts';
import { findBinaries } from '../controlplane/binaries.ts';
import type { OpenApiDefinition } from './definitions.ts';

export const definitionsDataFile = join(
  import.meta.dirname,
  '../../src/resource/definitions/kubernetes-1.36-schemas.bin',
);

/** The schemas that controller-gen writes for fields of Kubernetes' own types. Needs Go, which has the sources. */
export async function generateDefinitionsData(definitions: readonly OpenApiDefinition[]): Promise<DefinitionsData> {
  const usable = definitions.filter(({ refusal }) => refusal === undefined);
  const properties = await runControllerGen(usable);
  const rows: SchemaRow[] = [];
  const known = new Map<string, number>();
  const rowOf = (schema: JsonSchema): number => {
    const row = withReferences(schema, rowOf);
    const text = JSON.stringify(row);
    const index = known.get(text) ?? rows.push(row) - 1;
    known.set(text, index);
    return index;
  };
  const entryOf = ({ name, refusal }: OpenApiDefinition): string | number => {
    const schema = properties[fieldName(name)];
    return refusal ?? looseKeys(schema!).next().value ?? rowOf(schema!);
  };
  const entries = definitions.map((definition) => [definition.name, entryOf(definition)] as const);
  return { definitions: Object.fromEntries(entries), rows };
}

/**
 * Lists with keys that items may leave out: Kubernetes' own types may have them, a CRD may not (validateMapListKeysMapSet in
 * apiextensions).
 */
function* looseKeys(schema: JsonSchema, path = ''): Generator<string, undefined> {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  for (const key of keys.filter((key) => mayLeaveOut(key, schema.items ?? {})))
    yield `tells the items of ${path} apart by ${key}, which they may leave out: the API server refuses that of a CRD`;
  for (const [name, below] of Object.entries(schema.properties ?? {}))
    yield* looseKeys(below, path === '' ? name : `${path}.${name}`);
  if (schema.items) yield* looseKeys(schema.items, `${path}[]`);
  if (typeof schema.additionalProperties === 'object') yield* looseKeys(schema.additionalProperties, `${path}{}`);
}

function mayLeaveOut(key: string, { properties, required }: JsonSchema): boolean {
  return required?.includes(key) !== true && properties?.[key]?.default === undefined;
}

function withReferences(schema: JsonSchema, rowOf: (schema: JsonSchema) => number): SchemaRow {
  const { properties, items, additionalProperties, ...rest } = schema;
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, below]) => [name, rowOf(below)])),
    }),
    ...(items && { items: rowOf(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: rowOf(additionalProperties) }),
  };
}

/** The schema of each type, as of a field without a comment of its own. */
async function runControllerGen(definitions: readonly OpenApiDefinition[]): Promise<Record<string, JsonSchema>> {
  const binaries = await findBinaries();
  const folder = await mkdtemp(join(tmpdir(), 'definitions-'));
  try {
    // The module of the control plane requires every module that has types of the API.
    for (const name of ['go.mod', 'go.sum'])
      await copyFile(join(import.meta.dirname, '../controlplane', name), join(folder, name));
    await mkdir(join(folder, 'v1'));
    await writeFile(join(folder, 'v1', 'types.go'), goSource(definitions));
    const env = { ...process.env, GOFLAGS: '-mod=mod' };
    await promisify(execFile)(
      binaries['controller-gen'],
      ['crd:generateEmbeddedObjectMeta=true', 'paths=./v1', 'output:crd:dir=out'],
      {
        cwd: folder,
        env,
      },
    );
    const text = await readFile(join(folder, 'out', 'definitions.example.com_definitions.yaml'), 'utf8');
    const crd = load(text) as { spec: { versions: { schema: { openAPIV3Schema: JsonSchema } }[] } };
    return crd.spec.versions[0]!.schema.openAPIV3Schema.properties!['spec']!.properties!;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function goSource(definitions: readonly OpenApiDefinition[]): string {
  const packages = [...new Set(definitions.map(({ goPackage }) => goPackage))];
  const fields = definitions.map(({ name, kind, goPackage }) => {
    return `\tF${fieldName(name)} p${packages.indexOf(goPackage)}.${kind} \`json:"${fieldName(name)}"\``;
  });
  return `// +groupName=definitions.example.com
package v1

import (
\tmetav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
${packages.map((path, index) => `\tp${index} "${path}"`).join('\n')}
)

type DefinitionSpec struct {
${fields.join('\n')}
}

// +kubebuilder:object:root=true
type Definition struct {
\tmetav1.TypeMeta \`json:",inline"\`
\tmetav1.ObjectMeta \`json:"metadata,omitempty"\`
\tSpec DefinitionSpec \`json:"spec"\`
}
`;
}

function fieldName(name: string): string {
  return name.replaceAll(/[.-]/g, '_');
}
