import { afterAll, expect, test } from '@jest/globals';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KIND_REF } from '../../src/api/kind-ref.js';
import { generateManifests } from '../../src/manifests/generate.js';
import { isRun } from '../../src/resource/is-run.js';
import { isObjectController } from '../../src/resource/kinds/controller-class.js';
import type { ResourceClass } from '../../src/resource/model.js';
import { documentedModels } from '../manifests/operator-models.js';
import { modulesOf } from './doc-files.js';

const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(root, 'test', 'docs', 'classes-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const examples = ['README.md', ...globSync('docs/*.md', { cwd: root })].sort().flatMap((page) =>
  modulesOf(page)
    .filter((code) => /^@(?:Kind|Controller)\(/m.test(code) && !/from '(?:\.|vitest|@jest)/.test(code))
    .map((code, index) => ({ page, name: `block ${String(index + 1)}`, code })),
);

/** The names of the classes of an example that are kinds or controllers, exported or not. */
function classNames(code: string): string[] {
  const parts = code.split(/^(?=@(?:Kind|Controller)\()/m).slice(1);
  return parts.flatMap((part) => /^(?:export )?(?:abstract )?class (\w+)/m.exec(part)?.[1] ?? []);
}

test.each(examples)(
  'the classes of $page, $name, generate manifests without warnings',
  async ({ page, name, code }) => {
    const file = join(folder, `${page.replaceAll(/\W/g, '-')}-${name.replaceAll(' ', '-')}.ts`);
    const hidden = classNames(code).filter(
      (each) => !new RegExp(`^export (?:abstract )?class ${each}\\b`, 'm').test(code),
    );
    writeFileSync(file, hidden.length > 0 ? `${code}\nexport { ${hidden.join(', ')} };\n` : code);
    const exported = Object.values((await import(file)) as Record<string, unknown>);
    const classes = exported.filter(isResourceClass);
    expect(classes.length).toBeGreaterThan(0);
    const models = documentedModels(file, classes);
    const warnings: string[] = [];
    const warn = (warning: string): void => void warnings.push(warning);
    const files = generateManifests(
      models.map((model) => ({ model, sourceFile: 'operators/example.ts' })),
      { warn },
    );
    expect(files.length).toBeGreaterThan(models.some(isRun) ? 1 : 0);
    expect(warnings).toEqual([]);
  },
);

function isResourceClass(value: unknown): value is ResourceClass {
  return typeof value === 'function' && (Object.hasOwn(value, KIND_REF) || isObjectController(value as ResourceClass));
}
