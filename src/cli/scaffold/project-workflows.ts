import type { KindIdentity } from './kind-identity.js';

/** Actions are pinned to commits, because a tag can be moved; `kindwright upgrade` updates them. */
const PREPARE = `      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
      - uses: actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0
        with:
          node-version: 24
          cache: npm
`;

const TRIGGERS = `on:
  push:
    branches: [main]
  pull_request:

permissions:
  contents: read
`;

/** The workflow that tests a project without a cluster. */
export const CI_WORKFLOW = `name: CI
${TRIGGERS}
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
${PREPARE}      - run: npm cit
      - run: npm run check
`;

/** The workflow that runs the image of a project in a cluster of kind; Docker, kind and kubectl are part of the runner. */
export function endToEndWorkflow({ kind, plural, group, scope }: KindIdentity): string {
  const name = kind.toLowerCase();
  const resource = `${plural}.${group}`;
  const namespace = scope === 'Cluster' ? '' : ' --namespace default';
  return `# Builds the image, and tests it with the sample of ${kind} in a cluster of kind.
name: End-to-end
${TRIGGERS}
jobs:
  kind:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    env:
      IMG: ${name}-operator:e2e
    steps:
${PREPARE}      - run: npm ci
      - run: kind create cluster --wait 5m
      - run: npm run docker-build
      - run: kind load docker-image "$IMG"
      - run: npm run deploy
      - run: kubectl apply -f crds-out/samples/${name}.yaml${namespace}
      - run: kubectl wait ${resource}/example${namespace} --for=jsonpath='{.status.readyReplicas}'=2 --timeout=3m
      - run: npm run undeploy -- --crds --yes
      - if: failure()
        run: |
          kubectl get pods,${resource} --all-namespaces --output wide
          kubectl logs --all-containers --prefix --tail=200 --namespace ${name}-system deployment/${name}-controller-manager
`;
}
