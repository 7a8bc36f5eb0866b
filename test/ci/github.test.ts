import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '../../src/base/yaml.js';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface IssueForm {
  readonly name: string;
  readonly description: string;
  readonly body: readonly {
    readonly type: string;
    readonly id?: string;
    readonly attributes: { readonly label?: string; readonly description?: string; readonly value?: string };
  }[];
}

const FORMS = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: root }).filter((path) => !path.endsWith('/config.yml'));

test.each(FORMS)('%s is a form that GitHub accepts', (path) => {
  const { name, description, body } = parseYaml(read(path), path) as IssueForm;
  expect([name, description]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
  const inputs = body.filter(({ type }) => type !== 'markdown');
  expect(inputs.length).toBeGreaterThan(0);
  for (const { type, id, attributes } of inputs) {
    expect(['checkboxes', 'dropdown', 'input', 'textarea']).toContain(type);
    expect([id, attributes.label]).toEqual([expect.stringMatching(/^[\w-]+$/), expect.stringMatching(/./)]);
  }
  expect(new Set(inputs.map(({ id }) => id)).size).toBe(inputs.length);
});

test('the form for bugs requests the version, the verbose log and the CRD', () => {
  const { body } = parseYaml(read('.github/ISSUE_TEMPLATE/bug.yml'), 'bug.yml') as IssueForm;
  const descriptions = new Map(body.map(({ id, attributes }) => [id, attributes.description]));
  expect(descriptions.get('version')).toContain('kindwright --version');
  expect(descriptions.get('log')).toContain('run-operator -v');
  expect(descriptions.get('crd')).toContain('generate-manifests');
});

test('.nvmrc names the Node version of the dev dependencies', () => {
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: { readonly node: string } };
  expect(devDependencies.node).toMatch(new RegExp(`^\\^${read('.nvmrc').trim()}\\.`));
});
