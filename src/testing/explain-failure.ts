import { appendToMessage } from './append-to-message.js';
import { failureReport } from './failure-report.js';
import { testRun } from './test-run.js';

/** In every report; an error may reach the set-up file of a test runner as a copy. */
const MARK = 'since the test began:';

/**
 * Appends the report of the operators to the message of a test's error, once.
 *
 * @param note - text before the report
 */
export function explainFailure(error: Error, note = ''): Error {
  const report = error.message.includes(MARK) ? '' : failureReport(testRun());
  const text = [note, report].filter((part) => part !== '').join('\n');
  if (text !== '') appendToMessage(error, `\n\n${text}`);
  return error;
}
