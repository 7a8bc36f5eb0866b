import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { customResourceDefinition } from '../../../src/manifests/crd/crd.js';
import { load } from '../../manifests/operator-models.js';
import { TemporaryProject } from '../temporary-project.js';
import { parseYaml } from '../../../src/base/yaml.js';

interface Definition {
  readonly spec: { readonly versions: readonly { readonly name: string; readonly schema: unknown }[] };
}

const root = join(import.meta.dirname, '..', '..', '..');
const operators = globSync('operators/*.ts', { cwd: root });
const sources = Object.fromEntries(operators.map((path) => [path, readFileSync(join(root, path), 'utf8')]));

// The group of Mydemo is reserved: create kind refuses it.
test.each(operators.filter((path) => !/node-settings|mydemo/.test(path)))(
  'another version of the kind of %s has the fields, columns and rules of the present one',
  async (path) => {
    const [source] = await load(path);
    const { kind } = source!.model;
    const project = new TemporaryProject(sources);
    try {
      const args = ['create', 'kind', `${kind.group}/v9`, kind.kind];
      expect(await project.run('kindwright', args)).toMatchObject({ exitCode: 0, stderr: '' });
      const generated = await project.run('generate-manifests', [path, path.replace('.ts', '-v9.ts')]);
      expect(generated).toMatchObject({ exitCode: 0, stderr: '' });
      const file = `crds-out/${kind.group}_${kind.plural}.yaml`;
      const { spec } = parseYaml(readFileSync(join(project.folder, file), 'utf8'), file) as Definition;
      const [present, other] = [kind.version, 'v9'].map((name) => spec.versions.find((each) => each.name === name));
      expect({ ...other, name: kind.version, storage: true }).toEqual(present);
      expect(present?.schema).toEqual(customResourceDefinition(source!.model).spec.versions[0]?.schema);
    } finally {
      project.remove();
    }
  },
);
