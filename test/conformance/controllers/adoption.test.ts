import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AdmissionSuite, text, type Json, type Reply } from '../../e2e/admission/admission-suite.js';

let suite: AdmissionSuite;
let namespace: string;

beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());
beforeEach(async () => {
  namespace = await suite.namespace();
});

const labels = { app: 'a' };
const container = { name: 'c', image: 'i' };
const template = { metadata: { labels }, spec: { containers: [container] } };
const selector = { matchLabels: labels };
const KINDS = [
  ['StatefulSet', 'apps', { serviceName: 's', selector, template }],
  ['DaemonSet', 'apps', { selector, template }],
  // Its pod finds no node, or the Job would be over at once.
  ['Job', 'batch', { template: { spec: { ...template.spec, restartPolicy: 'Never', nodeSelector: { none: 'yes' } } } }],
] as const;

const items = ({ body }: Reply): Json[] => (body.items ?? []) as unknown as Json[];
const ownersOf = ({ metadata }: Json): Json[] => (metadata?.ownerReferences ?? []) as unknown as Json[];
const change = (path: string, metadata: object): Promise<Reply> =>
  suite.send('PATCH', path, { metadata }, 'application/merge-patch+json');
const podPath = (name = ''): string => `/api/v1/namespaces/${namespace}/pods/${name}`;
const ownersOnce = async (path: string, count: number): Promise<Json[]> => {
  const isWanted = ({ body }: Reply): boolean => ownersOf(body).length === count;
  return ownersOf((await suite.until(() => suite.send('GET', path), isWanted)).body);
};

describe.each(KINDS)('a %s', (kind, group, spec) => {
  test(`a ${kind} adopts its pod again, and releases it when the labels no longer match`, async () => {
    await suite.must('POST', `/apis/${group}/v1/namespaces/${namespace}/${kind.toLowerCase()}s`, {
      apiVersion: `${group}/v1`,
      kind,
      metadata: { name: 'own' },
      spec,
    });
    const [first] = items(
      await suite.until(
        () => suite.send('GET', podPath()),
        (reply) => items(reply).length > 0,
      ),
    );
    const path = podPath(text(first!.metadata!.name));
    const reference = ownersOf(first!)[0];
    await change(path, { ownerReferences: null });
    expect(await ownersOnce(path, 1)).toEqual([reference]);
    await change(path, { labels: null });
    expect(await ownersOnce(path, 0)).toEqual([]);
  });
});

test('a Deployment adopts a ReplicaSet again when the pods match its selector', async () => {
  const apps = `/apis/apps/v1/namespaces/${namespace}`;
  const metadata = { name: 'own' };
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { selector, template } };
  await suite.must('POST', `${apps}/deployments`, deployment);
  const [set] = items(
    await suite.until(
      () => suite.send('GET', `${apps}/replicasets`),
      (reply) => items(reply).length > 0,
    ),
  );
  const path = `${apps}/replicasets/${text(set!.metadata!.name)}`;
  await change(path, { ownerReferences: null });
  expect(await ownersOnce(path, 1)).toEqual(ownersOf(set!));
});
