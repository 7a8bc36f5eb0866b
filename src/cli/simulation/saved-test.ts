import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { OperatorError } from '../../base/operator-error.js';
import { createAtomically } from '../../base/write-atomically.js';
import { printLiteral, stringText } from '../../import-crd/source/literal.js';
import { formatFaults } from '../../simulation/plan/fault-text.js';
import type { Plan } from '../../simulation/plan/plan.js';
import { writtenPlan } from '../../simulation/plan/written-plan.js';
import { testModule } from '../scaffold/create-kind.js';

/** A problem to keep as a test. */
export interface SavedProblem {
  readonly className: string;
  /** Absolute path of the module that exports the class. */
  readonly file: string;
  readonly message: string;
  readonly plan: Plan;
}

/** A file of the user's project with a test for each problem that a simulation has found. */
export class SavedTest {
  private readonly path: string;
  private readonly module: string;
  private readonly problems: SavedProblem[] = [];

  /** @throws OperatorError (E_EXISTS) for a file that exists; (E_CONFIG) outside of a project */
  constructor(
    private readonly name: string,
    cwd = process.cwd(),
  ) {
    this.path = resolve(cwd, name);
    this.module = testModule(cwd);
    if (existsSync(this.path)) throw exists(name);
  }

  add(problem: SavedProblem): void {
    this.problems.push(problem);
  }

  /**
   * Writes the file, whole or not at all. Returns false without a problem: nothing is written then.
   *
   * @throws OperatorError (E_EXISTS) for a file that was created meanwhile
   */
  write(): boolean {
    if (this.problems.length === 0) return false;
    if (!createAtomically(this.path, testSource(this.problems, this.path, this.module))) throw exists(this.name);
    return true;
  }
}

/** Returns the source of a test file. */
function testSource(problems: readonly SavedProblem[], path: string, module: string): string {
  const classes = new Map(problems.map(({ className, file }) => [className, file]));
  const imports = [...classes].map(([className, file]) => `import { ${className} } from ${modulePath(path, file)};`);
  const lines = [
    `import { test } from '${module}';`,
    `import { simulate } from 'kindwright/testing';`,
    ...imports.sort(),
    ...problems.flatMap(testLines),
  ];
  return `${lines.join('\n')}\n`;
}

function testLines({ className, message, plan }: SavedProblem): string[] {
  const what = plan.faults.length === 0 ? message : formatFaults(plan.faults);
  const options = { plan: writtenPlan(plan) };
  const start = `  await simulate(${className}, `;
  const literal = printLiteral(options, { indent: 2, column: start.length, suffix: 2 });
  return [
    '',
    `// Found by kindwright simulate: ${message.replaceAll(/\s+/g, ' ')}`,
    `test(${stringText(`${className}: ${what}`.replaceAll(/\s+/g, ' '))}, async () => {`,
    `${start}${literal});`,
    '}, 60_000);',
  ];
}

/** The specifier of a TypeScript module, as TypeScript resolves it: with the ending of the compiled file. */
function modulePath(from: string, to: string): string {
  const path = relative(dirname(from), to).replaceAll('\\', '/').replace(/ts$/, 'js');
  return stringText(path.startsWith('.') ? path : `./${path}`);
}

function exists(name: string): OperatorError {
  return new OperatorError(`${name} already exists; nothing was written`, {
    code: 'E_EXISTS',
    hint: 'pass a new file to --save, or delete this one',
  });
}
