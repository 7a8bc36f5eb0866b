import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { ownMutants, type OwnMutant } from './own-mutants.ts';

/** Operators whose verdict is known. */
export interface SimulationCase {
  /** `m01`, `m01.sound`, `podset`, `k01`. */
  readonly id: string;
  readonly group: 'mutants' | 'twins' | 'sound' | 'operators' | 'examples' | 'own mutants';
  /** Relative to the root of the repository. The own mutants try their files one after the other. */
  readonly files: readonly string[];
  /** A simulation must find a problem, or none. */
  readonly isSound: boolean;
  /** What the head of a mutant expects: `crash, end state`. */
  readonly expected: string;
  /** Kinds of objects that the operator keeps on purpose. */
  readonly keeps?: string;
  /** The change of kindwright itself with which the operators are simulated. */
  readonly change?: OwnMutant;
}

/** Operators that show mistakes of kindwright, those with most features first. */
const SHOW_OWN_MUTANTS = [
  ...['operators/podset.ts', 'test/simulation/mutants/m17-volume-of-a-past-pod.sound.ts', 'operators/nodepool.ts'],
  ...['test/simulation/sound/two-writers.ts', 'test/simulation/mutants/m04-drained-twice.sound.ts'],
];

/** Returns all cases: mutants, their repaired twins, sound operators, examples of the documentation, and kindwright's own mutants. */
export function simulationCases(): SimulationCase[] {
  const mutants = filesOf('test/simulation/mutants/m*.ts');
  return [
    ...mutants.filter((file) => !file.endsWith('.sound.ts')).map(mutantCase),
    ...mutants.filter((file) => file.endsWith('.sound.ts')).map((file) => soundCase('twins', file)),
    ...filesOf('test/simulation/sound/*.ts').map((file) => soundCase('sound', file)),
    ...filesOf('operators/*.ts')
      .filter(isOperator)
      .map((file) => soundCase('operators', file)),
    ...filesOf('docs/examples/*.ts')
      .filter(isOperator)
      .map((file) => soundCase('examples', file)),
    ...ownMutants.map((change): SimulationCase => {
      const { id, fault } = change;
      return { id, group: 'own mutants', files: SHOW_OWN_MUTANTS, isSound: false, expected: fault, change };
    }),
  ];
}

function mutantCase(file: string): SimulationCase {
  const text = readFileSync(file, 'utf8');
  const [fault = '', oracle = ''] = [/^\/\/ Fault: (.+)$/m, /^\/\/ Oracle: (.+)$/m].map((line) => line.exec(text)?.[1]);
  return { id: idOf(file), group: 'mutants', files: [file], isSound: false, expected: `${fault}, ${oracle}` };
}

function soundCase(group: SimulationCase['group'], file: string): SimulationCase {
  const keeps = /^\/\/ Keeps: (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1];
  return { id: idOf(file), group, files: [file], isSound: true, expected: '', ...(keeps !== undefined && { keeps }) };
}

/** `m01-two-secrets.sound.ts` is m01.sound; other files keep their names. */
function idOf(file: string): string {
  return basename(file, '.ts').replace(/^(m\d\d)-[^.]*/, '$1');
}

/** Only a class that reconciles a kind of its own can be simulated without a scenario. */
function isOperator(file: string): boolean {
  const text = readFileSync(file, 'utf8');
  return /@Kind\(/.test(text) && /\breconcile\(/.test(text);
}

function filesOf(pattern: string): string[] {
  return globSync(pattern).sort();
}
