import { WEBHOOK_CASES } from './cases.ts';

/** A result of jest, as far as the table uses it. */
export interface JestReport {
  readonly testResults: readonly {
    /** The path of the file. */
    readonly name: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** The result of the tests of a case; `none` if none ran, and `server-independent` if no API server takes part in them. */
export type CaseResult = 'held' | 'failed' | 'none' | 'server-independent';

/** The suites that run on both servers. */
const SERVER_SUITES = /[/\\]test[/\\](cluster|e2e)[/\\]/;

/** The ids in the title of a test: `(W6, W9)`, or of a test whose case is part of another title. */
export function caseIds(title: string): string[] {
  return [...title.matchAll(/\(((?:[GW]\d+(?:, )?)+)\)/g)].flatMap(([, ids = '']) => ids.split(', '));
}

/** The result of each case in a report. Tests that were skipped by the pattern of names do not count. */
export function caseResults({ testResults }: JestReport): ReadonlyMap<string, CaseResult> {
  const results = new Map<string, CaseResult>();
  for (const { fullName, status } of testResults.flatMap(({ assertionResults }) => assertionResults)) {
    if (status !== 'passed' && status !== 'failed') continue;
    for (const id of caseIds(fullName))
      if (results.get(id) !== 'failed') results.set(id, status === 'passed' ? 'held' : 'failed');
  }
  return results;
}

/** The cases of a report whose tests all run without an API server, so that they need no result for each. */
export function independentCases({ testResults }: JestReport): ReadonlyMap<string, CaseResult> {
  const idsOf = (results: JestReport['testResults']) => [...caseResults({ testResults: results }).keys()];
  const dependent = new Set(idsOf(testResults.filter(({ name }) => SERVER_SUITES.test(name))));
  const independent = idsOf(testResults).filter((id) => !dependent.has(id));
  return new Map(independent.map((id) => [id, 'server-independent']));
}

/** The cases without a result for one of the servers: all have one if their tests exist and were not skipped. */
export function missingCases(servers: Servers): string[] {
  return Object.entries(servers).flatMap(([server, results]) =>
    Object.keys(WEBHOOK_CASES)
      .filter((id) => (results.get(id) ?? 'none') === 'none')
      .map((id) => `${id} on ${server}`),
  );
}

type Servers = Readonly<Record<string, ReadonlyMap<string, CaseResult>>>;

/** The table of all cases, one line for each, with a column for each server. */
export function caseTable(servers: Servers): string {
  const cell = (text: string) => text.padEnd('server-independent'.length);
  const header = ['case ', ...Object.keys(servers).map(cell)].join(' ');
  const lines = Object.entries(WEBHOOK_CASES).map(([id, text]) =>
    [id.padEnd(5), ...Object.values(servers).map((results) => cell(results.get(id) ?? 'none')), text].join(' '),
  );
  return [header, ...lines].join('\n');
}
