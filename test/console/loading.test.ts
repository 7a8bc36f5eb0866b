import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { eventually } from '../../src/testing/eventually.js';
import { StartedCommand } from '../cli/started-command.js';
import { TemporaryProject } from '../cli/temporary-project.js';

const SRC = join(import.meta.dirname, '..', '..', 'src');
/** A static import of values; `import type` is erased, and `import()` loads when it is called. */
const IMPORT = /^(?:import|export)(?! type )[^;]*? from '([^']+)';/gm;

test('no module of the console is loaded before it is opened or a command reads it', () => {
  const importers = globSync('**/*.ts', { cwd: SRC })
    .filter((path) => !path.startsWith('console/') && !path.startsWith('cli/console/'))
    .filter((path) => {
      const text = readFileSync(join(SRC, path), 'utf8');
      return [...text.matchAll(IMPORT)].some(([, name = '']) => isOfConsole(path, name));
    });
  expect(importers).toEqual([]);
});

function isOfConsole(path: string, name: string): boolean {
  if (!name.startsWith('.')) return false;
  const target = relative(SRC, join(SRC, path, '..', name));
  return target.startsWith('console/') || target.startsWith('cli/console/');
}

const OPERATOR = `
import { CustomResource, Kind } from 'kindwright';

@Kind({ group: 'test.example.com', version: 'v1' })
export class Quiet extends CustomResource {
  reconcile(): void {}
}
`;
/** Writes the URL of each module that Node loads to a file. */
const HOOK = `
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    appendFileSync(process.env.LOADED, url + '\\n');
    return next(url, context);
  },
});
`;
/** The comment before each module in a file of the package. */
const MODULE_OF_CONSOLE = /^\/\/ dist\/(?:cli\/)?console\/.*$/gm;

test.each(['off', '0'])(
  'a running operator has loaded the modules of the console only if it has one: %s',
  async (value) => {
    const project = new TemporaryProject({ 'operators/quiet.ts': OPERATOR, 'hook.mjs': HOOK });
    const [hook, loaded] = ['hook.mjs', 'loaded.txt'].map((name) => join(project.folder, name)) as [string, string];
    const env = { NODE_OPTIONS: `--import=${hook}`, LOADED: loaded };
    const operator = new StartedCommand(project.start('run-operator', ['--embedded', `--console=${value}`], env));
    await eventually(() => expect(operator.stderr).toContain('Started workers'));
    await operator.end();
    const files = new Set(readFileSync(loaded, 'utf8').split('\n'));
    project.remove();
    const ofPackage = [...files]
      .filter((url) => url.includes('/dist/'))
      .map((url) => readFileSync(fileURLToPath(url), 'utf8'));
    expect(ofPackage.length).toBeGreaterThan(5);
    const modules = ofPackage.flatMap((text) => [...text.matchAll(MODULE_OF_CONSOLE)]);
    if (value === 'off') expect(modules.map(String)).toEqual([]);
    else expect(modules.length).toBeGreaterThan(20);
  },
);
