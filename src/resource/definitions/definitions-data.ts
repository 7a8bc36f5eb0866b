import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { JsonSchema } from '../../api/schema/json-schema.js';
import { deepEqual } from '../../base/deep-equal.js';

/** A schema; those below it are given by the number of their row. */
export interface SchemaRow extends Omit<JsonSchema, 'properties' | 'items' | 'additionalProperties'> {
  readonly properties?: Readonly<Record<string, number>>;
  readonly items?: number;
  readonly additionalProperties?: number;
}

/** The schemas that controller-gen writes for Kubernetes' own types. */
export interface DefinitionsData {
  /** The row of each schema by full name; for a type without a schema, the reason as the end of a sentence. */
  readonly definitions: Readonly<Record<string, number | string>>;
  /** Each schema once: types are used again and again. */
  readonly rows: readonly SchemaRow[];
}

let loaded: DefinitionsData | undefined;

/** Read when a class first refers to a definition: most operators never do. */
export function definitionsData(): DefinitionsData {
  loaded ??= JSON.parse(
    brotliDecompressSync(readFileSync(new URL('kubernetes-1.36-schemas.bin', import.meta.url))).toString(),
  ) as DefinitionsData;
  return loaded;
}

/** Returns true for the schema of an `ObjectMeta`, with any description. */
export function isObjectMeta({ properties }: SchemaRow): boolean {
  const { definitions, rows } = definitionsData();
  const row = definitions['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'];
  return properties !== undefined && typeof row === 'number' && deepEqual(properties, rows[row]?.properties);
}
