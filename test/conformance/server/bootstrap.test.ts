import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, text, type Json } from '../../e2e/admission/admission-suite.js';
import { conditionOf, items } from '../controllers/cluster-suite.js';

const FLOW_CONTROL = '/apis/flowcontrol.apiserver.k8s.io/v1';
const API_SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
});
afterAll(() => suite.stop());

const list = async (path: string): Promise<Json[]> => items((await suite.send('GET', path)).body);
/** Returns the objects without values that differ between servers and times, sorted by name. */
const told = (objects: Json[]): unknown =>
  JSON.parse(
    JSON.stringify(objects.sort((a, b) => (text(a.metadata!.name) < text(b.metadata!.name) ? -1 : 1))),
    (key, value: unknown) =>
      ['uid', 'creationTimestamp', 'resourceVersion', 'managedFields', 'lastTransitionTime'].includes(key)
        ? undefined
        : value,
  ) as unknown;

test.each(['flowschemas', 'prioritylevelconfigurations'])('a new cluster has the %s of Kubernetes', async (plural) => {
  // The real server reports the priority level of a FlowSchema after some time.
  const { body } = await suite.until(
    () => suite.send('GET', `${FLOW_CONTROL}/${plural}`),
    (reply) => plural !== 'flowschemas' || items(reply.body).every((each) => conditionOf(each, 'Dangling')),
  );
  expect(told(items(body))).toMatchSnapshot();
});

test('the status of a FlowSchema reports if its priority level exists', async () => {
  const kind = { apiVersion: 'flowcontrol.apiserver.k8s.io/v1' };
  const rule = {
    subjects: [{ kind: 'Group', group: { name: 'g' } }],
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true }],
  };
  const spec = { matchingPrecedence: 1000, priorityLevelConfiguration: { name: 'mine' }, rules: [rule] };
  await suite.must('POST', `${FLOW_CONTROL}/flowschemas`, {
    ...kind,
    kind: 'FlowSchema',
    metadata: { name: 's' },
    spec,
  });
  const once = async (status: string): Promise<Json | undefined> => {
    const { body } = await suite.until(
      () => suite.send('GET', `${FLOW_CONTROL}/flowschemas/s`),
      (reply) => text(conditionOf(reply.body, 'Dangling')?.status) === status,
    );
    return conditionOf(body, 'Dangling');
  };
  const what = 'This FlowSchema references the PriorityLevelConfiguration object named "mine"';
  expect(await once('True')).toMatchObject({ reason: 'NotFound', message: `${what} but there is no such object` });
  await suite.must('POST', `${FLOW_CONTROL}/prioritylevelconfigurations`, {
    ...kind,
    kind: 'PriorityLevelConfiguration',
    metadata: { name: 'mine' },
    spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } } },
  });
  expect(await once('False')).toMatchObject({ reason: 'Found', message: `${what} and it exists` });
});

test('each version of the API has an APIService', async () => {
  expect(told(await list(API_SERVICES))).toMatchSnapshot();
});

test('a version of custom resources has an APIService as long as it is served', async () => {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const openAPIV3Schema = { type: 'object' };
  await suite.must('POST', definitions, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gadgets.boot.example.com' },
    spec: {
      group: 'boot.example.com',
      scope: 'Namespaced',
      names: { plural: 'gadgets', kind: 'Gadget' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  });
  const path = `${API_SERVICES}/v1.boot.example.com`;
  const { body } = await suite.until(
    () => suite.send('GET', path),
    ({ code, body: found }) => code === 200 && conditionOf(found, 'Available') !== undefined,
  );
  expect(told([body])).toMatchSnapshot();
  await suite.must('DELETE', `${definitions}/gadgets.boot.example.com`);
  await suite.until(
    () => suite.send('GET', path),
    ({ code }) => code === 404,
  );
});
