import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, text, type Json, type Reply } from '../../e2e/admission/admission-suite.js';

const ROOT = '/apis/flowcontrol.apiserver.k8s.io/v1';

let suite: AdmissionSuite;

beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());

const uidOf = async (path: string): Promise<string> => text((await suite.must('GET', `${ROOT}/${path}`)).metadata?.uid);
const flowOf = ({ headers }: Reply): unknown[] => [
  headers?.['x-kubernetes-pf-flowschema-uid'],
  headers?.['x-kubernetes-pf-prioritylevel-uid'],
];
const flow = async (schema: string, level: string): Promise<string[]> => [
  await uidOf(`flowschemas/${schema}`),
  await uidOf(`prioritylevelconfigurations/${level}`),
];

test('each response, also a rejection, has the headers of its flow', async () => {
  const somebody = suite.impersonating('somebody');
  const account = suite.impersonating('system:serviceaccount:kube-system:a');

  // The real server takes up its own configuration in its own time.
  const told = async (who: AdmissionSuite, path: string, schema: string, level: string): Promise<void> => {
    const wanted = await flow(schema, level);
    await suite.until(
      () => who.send('GET', path),
      (reply) => flowOf(reply).join() === wanted.join(),
    );
  };
  await told(suite, '/api/v1/pods', 'exempt', 'exempt');
  await told(somebody, '/healthz', 'probes', 'exempt');
  await told(somebody, '/api/v1/pods', 'global-default', 'global-default');
  await told(account, '/nowhere', 'kube-system-service-accounts', 'workload-high');
  const lease = '/apis/coordination.k8s.io/v1/namespaces/a/leases/b';
  await told(account, lease, 'system-leader-election', 'leader-election');
});

test('a FlowSchema with a lower number takes precedence', async () => {
  const make = (plural: string, kind: string, name: string, spec: object): Promise<Json> =>
    suite.must('POST', `${ROOT}/${plural}`, {
      apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
      kind,
      metadata: { name },
      spec,
    });
  await make('prioritylevelconfigurations', 'PriorityLevelConfiguration', 'slow', {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } },
  });
  const resourceRules = [{ verbs: ['list'], apiGroups: [''], resources: ['configmaps'], namespaces: ['a'] }];
  await make('flowschemas', 'FlowSchema', 'named', {
    matchingPrecedence: 1000,
    priorityLevelConfiguration: { name: 'slow' },
    rules: [{ subjects: [{ kind: 'User', user: { name: 'named' } }], resourceRules }],
  });
  const [wanted, rest] = [await flow('named', 'slow'), await flow('global-default', 'global-default')];
  const named = suite.impersonating('named');

  await suite.until(
    () => named.send('GET', '/api/v1/namespaces/a/configmaps'),
    (reply) => flowOf(reply).join() === wanted.join(),
  );
  for (const path of ['/api/v1/configmaps', '/api/v1/namespaces/a/configmaps/x', '/api/v1/namespaces/b/configmaps'])
    expect(flowOf(await named.send('GET', path))).toEqual(rest);
  for (const path of ['flowschemas/named', 'prioritylevelconfigurations/slow'])
    await suite.must('DELETE', `${ROOT}/${path}`);
});
