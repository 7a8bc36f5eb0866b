import { existsSync, mkdirSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { writeAtomically } from '../../base/write-atomically.js';
import type { InvestigatedProblem } from '../../simulation/operator-simulation.js';
import { savedTest } from '../../simulation/report/saved-test.js';
import type { LoadedResource } from '../load-resources.js';
import { testModule } from '../scaffold/create-kind.js';

/** Writes a test that repeats a problem, and returns its path. An existing file is not replaced. */
export function saveTest(
  folder: string,
  { plan, shown: { alarm } }: InvestigatedProblem,
  { model, sourceFile }: LoadedResource,
): string {
  mkdirSync(folder, { recursive: true });
  const module = relative(resolve(folder), resolve(sourceFile))
    .split(sep)
    .join('/')
    .replace(/\.([cm]?)ts$/, '.$1js');
  const source = savedTest(plan, {
    className: model.className,
    module: module.startsWith('.') ? module : `./${module}`,
    testModule: testModule(process.cwd()),
    title: `${model.className}: ${alarm.message.split('\n', 1)[0] ?? alarm.reason}`,
  });
  const path = freePath(folder, model.className.toLowerCase());
  writeAtomically(path, source);
  return path;
}

function freePath(folder: string, name: string): string {
  for (let number = 1; ; number++) {
    const path = join(folder, `${name}-simulation-${String(number)}.test.ts`);
    if (!existsSync(path)) return path;
  }
}
