import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYamlDocuments } from '../../src/base/yaml.js';
import { customDefinitions } from '../fidelity/custom-definitions.js';
import { publicCrds } from '../import-crd/public-crds.js';
import { goldenFolder, readYamlFiles } from '../tools/golden-crds.js';
import { oddDefinitions } from './odd-definitions.js';

const ODDITIES = join(import.meta.dirname, '..', 'import-crd', 'crds', 'oddities.yaml');

/** A CustomResourceDefinition, as far as the comparison reads it. */
export interface Definition {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean; readonly schema: object }[];
  };
}

/** Public definitions, the definitions of the operators, and odd ones; they are not sorted by name. */
export async function documentDefinitions(): Promise<readonly Definition[]> {
  const texts = [...publicCrds(), [ODDITIES, readFileSync(ODDITIES, 'utf8')], ...(await readYamlFiles(goldenFolder))];
  const published = texts.flatMap(([file = '', text = '']) => parseYamlDocuments(text, file));
  return [...oddDefinitions(), ...published, ...customDefinitions()] as Definition[];
}
