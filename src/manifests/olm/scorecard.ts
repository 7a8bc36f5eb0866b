import type { UnstructuredObject } from '../../api/kube-object.js';

const IMAGE = 'quay.io/operator-framework/scorecard-test:v1.41.1';

/** Name and suite of the tests that operator-sdk enables in new projects. */
const TESTS = [
  ['basic-check-spec', 'basic'],
  ['olm-bundle-validation', 'olm'],
  ['olm-crds-have-validation', 'olm'],
  ['olm-crds-have-resources', 'olm'],
  ['olm-spec-descriptors', 'olm'],
  ['olm-status-descriptors', 'olm'],
] as const;

/** The configuration of `operator-sdk scorecard`. */
export function scorecardConfiguration(): UnstructuredObject {
  const storage = { spec: { mountPath: {} } };
  const tests = TESTS.map(([name, suite]) => ({
    entrypoint: ['scorecard-test', name],
    image: IMAGE,
    labels: { suite, test: `${name}-test` },
    storage,
  }));
  return {
    apiVersion: 'scorecard.operatorframework.io/v1alpha3',
    kind: 'Configuration',
    metadata: { name: 'config' },
    stages: [{ parallel: true, tests }],
    storage,
  };
}
