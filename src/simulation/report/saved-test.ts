import { formatFault } from '../plan/fault-text.js';
import type { Plan, WorkloadStep } from '../plan/plan.js';
import { placeOfObject } from '../plan/object-of-step.js';

/** The imports of a generated test. */
export interface SavedTestOptions {
  /** The class of the operator. */
  readonly className: string;
  /** Specifier of its module, relative to the test. */
  readonly module: string;
  readonly testModule: string;
  readonly title: string;
}

/** Returns the source of a test that repeats a plan. */
export function savedTest(plan: Plan, { className, module, testModule, title }: SavedTestOptions): string {
  const { seed, faults, schedule, replicas, nodes, given } = plan;
  const options = [
    `scenario({ ${usedActions(plan).join(', ')} }) {`,
    ...scenarioLines(plan.workload).map((line) => `  ${line}`),
    '},',
    ...(given.length > 0 ? [`given: ${JSON.stringify(given)},`] : []),
    `plan: ${literal(faults.map(formatFault))},`,
    ...(schedule === 'first' ? [] : [`schedule: '${schedule}',`]),
    ...(seed === 0 ? [] : [`seed: ${String(seed)},`]),
    ...(replicas === 1 ? [] : [`replicas: ${String(replicas)},`]),
    `nodes: ${String(nodes)},`,
  ];
  return [
    `import { test } from '${testModule}';`,
    `import { simulate } from 'kindwright/testing';`,
    `import { ${className} } from '${module}';`,
    '',
    `test(${quoted(title)}, () =>`,
    `  simulate(${className}, {`,
    ...options.map((line) => `    ${line}`),
    '  }));',
    '',
  ].join('\n');
}

function usedActions({ workload }: Plan): string[] {
  const names = { create: 'create', patch: 'edit', delete: 'remove' } as const;
  const used = new Set<string>(workload.map((step) => names[step.do]));
  if (workload.some(({ after }) => after === 'quiet')) used.add('quiet');
  return ['create', 'edit', 'remove', 'quiet'].filter((name) => used.has(name));
}

function scenarioLines(workload: readonly WorkloadStep[]): string[] {
  return workload.flatMap((step) => [...(step.after === 'quiet' ? ['quiet();'] : []), stepLine(step)]);
}

function stepLine(step: WorkloadStep): string {
  if (step.do === 'create') return `create(${literal(step.object)}); // ${placeOfObject(step.object)}`;
  if (step.do === 'patch') return `edit(${quoted(step.object)}, ${literal(step.patch)});`;
  return `remove(${quoted(step.object)}${step.propagation === undefined ? '' : `, '${step.propagation}'`});`;
}

/** A JSON value as TypeScript. */
function literal(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length === 0) return '{}';
  const name = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key));
  return `{ ${members.map(([key, member]) => `${name(key)}: ${literal(member)}`).join(', ')} }`;
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
