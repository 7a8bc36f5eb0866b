import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { projectSchema } from '../../src/manifests/settings/project-schema.js';
import { parseProjectSettings } from '../../src/manifests/settings/parse-project-settings.js';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'deployment.md'), 'utf8');
const [, example = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];

describe('docs/deployment.md', () => {
  test('docs/deployment.md has an example with valid settings of every key of the Deployment', () => {
    const { deployment } = parseProjectSettings(example, 'package.json');
    expect(Object.keys(deployment ?? {}).sort()).toEqual(
      Object.keys(projectSchema().properties!['deployment']!.properties!).sort(),
    );
  });

  test('docs/deployment.md lists every setting', () => {
    const listed = [...page.matchAll(/^\| (`[^|]*)\|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([a-zA-Z]+)/g)].map(([, name]) => name),
    );
    const { properties } = projectSchema();
    const settings = [...Object.keys(properties!), ...Object.keys(properties!['deployment']!.properties!)];
    expect(listed).toEqual(expect.arrayContaining(settings));
  });
});
