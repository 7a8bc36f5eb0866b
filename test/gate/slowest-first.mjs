import TestSequencer from '@jest/test-sequencer';

/** Suites of over a minute, the slowest first. The gate prints the slowest suites of each run. */
const SLOW = [
  'test/e2e/certificates/self-managed-certificates.test.ts',
  'test/cluster/strangers/backup.test.ts',
  'test/cluster/strangers/bucket.test.ts',
  'test/e2e/certificates/deploy-webhooks.test.ts',
  'test/cluster/random-classes.test.ts',
  'test/conformance/differential/kubectl.test.ts',
  'test/conformance/differential/fidelity.test.ts',
  'test/conformance/differential/documents.test.ts',
  'test/conformance/differential/go-programs.test.ts',
  'test/faults/crashes.test.ts',
  'test/faults/restarts.test.ts',
  'test/faults/rows.test.ts',
];

/**
 * Starts the slowest suites first: otherwise the last of them runs alone at the end of a step. jest does so by the times of
 * earlier runs, which a new clone does not have.
 */
export default class SlowestFirst extends TestSequencer {
  sort(tests) {
    const place = ({ path }) => {
      const index = SLOW.findIndex((suite) => path.endsWith(suite));
      return index === -1 ? SLOW.length : index;
    };
    return super.sort(tests).sort((a, b) => place(a) - place(b));
  }
}
