import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYamlDocuments } from '../../src/base/yaml.js';
import { customDefinitions } from '../fidelity/custom-definitions.js';
import { oddDefinitions } from './odd-definitions.js';

const TEST = join(import.meta.dirname, '..');
const FILES = ['import-crd/crds/**/*.yaml', 'manifests/golden/*.yaml'];

/** A CustomResourceDefinition, as far as the comparison reads it. */
export interface Definition {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean; readonly schema: object }[];
  };
}

/** Public definitions, those of the operators, and odd ones, in an order that is not that of their names. */
export function documentDefinitions(): readonly Definition[] {
  const files = FILES.flatMap((pattern) => globSync(pattern, { cwd: TEST })).sort();
  const published = files.flatMap((file) => parseYamlDocuments(readFileSync(join(TEST, file), 'utf8'), file));
  return [...oddDefinitions(), ...published, ...customDefinitions()] as Definition[];
}
