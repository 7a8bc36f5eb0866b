import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseYaml, stringifyYaml } from '../../src/base/yaml.js';
import { customResourceDefinition } from '../../src/manifests/crd/crd.js';
import { generateManifests } from '../../src/manifests/generate.js';
import { byKind } from '../../src/resource/kinds/versions.js';
import type { FieldClass } from '../../src/resource/decorators/field-options.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import type { ResourceClass } from '../../src/resource/model.js';
import { blocksOf } from './doc-files.js';
import { kindWithSpec } from '../resource/mistakes/classes.js';

const root = join(import.meta.dirname, '..', '..');
const page = join(root, 'docs', 'decorators.md');
const EXAMPLE = /```ts\n([\s\S]*?)```\n\n```yaml\n# ([a-z ]+)\n([\s\S]*?)```/g;
const folder = mkdtempSync(join(root, 'test', 'docs', 'decorators-'));
// Files in a folder of this name are compiled as by run-operator, with declared types.
const operators = join(folder, 'operators');
mkdirSync(operators);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const examples = [...readFileSync(page, 'utf8').matchAll(EXAMPLE)].map(([, code = '', part = '', yaml = ''], index) => {
  const file = join(operators, `example-${index}.ts`);
  writeFileSync(file, code);
  return { code, part, yaml, file };
});

interface Definition {
  metadata: object;
  spec: { versions: { schema: { openAPIV3Schema: Schema } }[] };
}
interface Schema {
  properties: Record<string, { properties?: object }>;
}

/** The parts of a definition that the page shows, by their name on the page. */
const PARTS: Readonly<Record<string, (definition: Definition) => unknown>> = {
  'properties of spec': ({ spec: { versions } }) => versions[0]!.schema.openAPIV3Schema.properties['spec']!.properties,
  spec: ({ spec: { versions } }) => versions[0]!.schema.openAPIV3Schema.properties['spec'],
  object: ({ spec: { versions } }) => versions[0]!.schema.openAPIV3Schema,
  version: ({ spec: { versions } }) => ({ ...versions[0], schema: undefined }),
  versions: ({ spec: { versions, ...rest } }) => {
    return { ...rest, versions: versions.map((version) => ({ ...version, schema: undefined })) };
  },
  definition: ({ metadata, spec }) => ({ metadata, spec: { ...spec, versions: undefined } }),
};

async function shown({ file, part }: { file: string; part: string }): Promise<string> {
  const { Spec, ...others } = (await import(file)) as Record<string, FieldClass & ResourceClass>;
  const classes = Spec ? [kindWithSpec(Spec)] : Object.values(others);
  const models = buildResourceModels(classes);
  generateManifests(models.map((model) => ({ model, sourceFile: 'example.ts' }))); // throws the errors of a server
  const [versions = []] = byKind(models);
  const definition: unknown = customResourceDefinition(...versions);
  return stringifyYaml(JSON.parse(JSON.stringify(PARTS[part]!(definition as Definition))));
}

/** UPDATE_DOCS=1 writes the output of the examples to the page; review it before you commit it. */
describe('the YAML of docs/decorators.md is what the classes make', () => {
  test.each(examples)(
    'the YAML of docs/decorators.md is generated from its classes: $part of $file',
    async (example) => {
      const yaml = await shown(example);
      if (process.env['UPDATE_DOCS']) {
        const fences = `\`\`\`ts\n${example.code}\`\`\`\n\n\`\`\`yaml\n# ${example.part}\n`;
        const text = readFileSync(page, 'utf8').replace(`${fences}${example.yaml}`, () => `${fences}${yaml}`);
        writeFileSync(page, text);
      } else expect(parseYaml(example.yaml, basename(page))).toEqual(parseYaml(yaml, example.file));
    },
  );
});

test('each block of docs/decorators.md belongs to a pair of a class and its YAML', () => {
  expect(examples.length * 2).toBe(blocksOf('docs/decorators.md').length);
});

test('docs/decorators.md has an example of every decorator, or a row that links to one', () => {
  const index = readFileSync(join(root, 'src', 'index.ts'), 'utf8');
  const exported = [...index.matchAll(/export \{\s*([A-Z]\w*)[^}]*\} from '\.\/resource\/decorators\//g)];
  const names = exported.map(([, name = '']) => name);
  expect(names).toEqual(expect.arrayContaining(['Field', 'Schema', 'Union', 'Scale', 'Owns', 'Source']));
  const code = examples.map((example) => example.code).join('');
  const linked = [...readFileSync(page, 'utf8').matchAll(/^\| `@(\w+)\(.*\]\(([\w-]+\.md)(?:#[\w-]+)?\) *\|$/gm)];
  const shownOn = (name: string, target: string) =>
    readFileSync(join(root, 'docs', target), 'utf8').includes(`@${name}(`);
  const withExample = new Set(
    linked.filter(([, name = '', target = '']) => shownOn(name, target)).map(([, name]) => name),
  );
  expect(names.filter((name) => !code.includes(`@${name}(`) && !withExample.has(name))).toEqual([]);
  expect(linked.length).toBeGreaterThan(10);
});
