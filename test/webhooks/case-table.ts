import { WEBHOOK_CASES } from './cases.ts';

/** A result of jest, as far as the table uses it. */
export interface JestReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** The result of the tests of a case; `none` if none ran. */
export type CaseResult = 'held' | 'failed' | 'none';

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

/** The table of all cases, one line for each, with a column for each server. */
export function caseTable(servers: Readonly<Record<string, ReadonlyMap<string, CaseResult>>>): string {
  const cell = (text: string) => text.padEnd(10);
  const header = ['case ', ...Object.keys(servers).map(cell)].join(' ');
  const lines = Object.entries(WEBHOOK_CASES).map(([id, text]) =>
    [id.padEnd(5), ...Object.values(servers).map((results) => cell(results.get(id) ?? 'none')), text].join(' '),
  );
  return [header, ...lines].join('\n');
}
