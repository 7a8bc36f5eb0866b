import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import type { SimulationCase } from './simulation-cases.ts';

/** The limits of the simulation of one case. */
export interface CaseLimits {
  readonly schedules?: number;
  readonly seconds?: number;
}

/** A problem as `kindwright simulate --json` prints it. */
export interface PrintedProblem {
  readonly oracle: string;
  readonly message: string;
  readonly faults: string;
  readonly plan: { readonly faults: readonly unknown[]; readonly workload: readonly unknown[] };
  readonly timeline: readonly unknown[];
}

export interface CaseResult {
  readonly case: SimulationCase;
  readonly problems: readonly PrintedProblem[];
  readonly schedules: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** The message of a simulation that could not run. */
  readonly failure: string;
}

interface PrintedSummary {
  readonly schedules: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** Returns whether the verdict of a simulation is the one of the case. */
export function isRight({ case: { isSound }, problems, failure }: CaseResult): boolean {
  return failure === '' && (problems.length === 0) === isSound;
}

/**
 * Simulates the operators of a case with the command that users call, until a problem is found.
 *
 * @param root folder with `dist` and the files of the case
 */
export async function simulateCase(
  simulated: SimulationCase,
  root: string,
  limits: CaseLimits,
  signal: AbortSignal,
): Promise<CaseResult> {
  let result: CaseResult = { case: simulated, problems: [], schedules: 0, seconds: 0, cpuSeconds: 0, failure: '' };
  for (const file of simulated.files) {
    const next = await simulateFile(simulated, file, root, limits, signal);
    result = {
      ...next,
      schedules: result.schedules + next.schedules,
      seconds: result.seconds + next.seconds,
      cpuSeconds: result.cpuSeconds + next.cpuSeconds,
    };
    if (result.problems.length > 0 || result.failure !== '') break;
  }
  return result;
}

async function simulateFile(
  simulated: SimulationCase,
  file: string,
  root: string,
  { schedules, seconds }: CaseLimits,
  signal: AbortSignal,
): Promise<CaseResult> {
  const args = [join(root, 'dist/cli/bin/kindwright.js'), 'simulate', file, '--json'];
  if (schedules !== undefined) args.push('--schedules', String(schedules));
  if (seconds !== undefined) args.push('--for', `${String(seconds)}s`);
  if (simulated.keeps !== undefined) args.push('--keeps', simulated.keeps);
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], signal });
  const problems: PrintedProblem[] = [];
  let summary: PrintedSummary = { schedules: 0, seconds: 0, cpuSeconds: 0 };
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject).on('close', (code) => {
      resolve(code ?? -1);
    });
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const printed = JSON.parse(line) as PrintedProblem | PrintedSummary;
    if ('schedules' in printed) {
      const { schedules: played, seconds: took, cpuSeconds } = printed;
      summary = { schedules: played, seconds: took, cpuSeconds };
    } else problems.push(printed);
  }
  const code = await ended;
  const hasFailed = summary.schedules === 0 || code !== (problems.length > 0 ? 1 : 0);
  return {
    case: simulated,
    problems,
    ...summary,
    failure: hasFailed ? errors.trim() || `exit code ${String(code)}` : '',
  };
}
