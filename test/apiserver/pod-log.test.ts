import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { request } from 'node:https';
import { text, type Reply } from './api-client.js';
import { ClusterTest } from './controllers/cluster-test.js';

const PODS = '/api/v1/namespaces/default/pods';

let cluster: ClusterTest;
beforeAll(async () => {
  cluster = await ClusterTest.start({
    planPod: ({ name }) =>
      name === 'waiting' ? { waitingReason: 'ImagePullBackOff' } : { log: ['one', 'two', 'three'] },
  });
  const container = (name: string): object => ({ name, image: 'i' });
  for (const [name, containers] of [
    ['p', [container('c')]],
    ['both', [container('a'), container('b')]],
    ['waiting', [container('c')]],
  ] as const) {
    await cluster.create('v1', 'pods', { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers } });
  }
  await cluster.podsOnce((pods) => pods.every((pod) => pod.status!.containerStatuses !== undefined));
});
afterAll(() => cluster.stop());

const log = (pod: string, query = ''): Promise<Reply> => cluster.api.send('GET', `${PODS}/${pod}/log${query}`);

test('the log of a pod contains the lines of its plan', async () => {
  const { code, body, headers } = await log('p');
  expect([code, text(body.text), headers['content-type']]).toEqual([200, 'one\ntwo\nthree\n', 'text/plain']);
});

test.each([
  ['tailLines=1', 'three\n'],
  ['tailLines=9', 'one\ntwo\nthree\n'],
  ['limitBytes=5', 'one\nt'],
  ['sinceTime=2999-01-01T00:00:00Z', ''],
  ['sinceSeconds=3600', 'one\ntwo\nthree\n'],
])('the parameter %s selects lines of a log', async (query, expected) => {
  expect(text((await log('p', `?${query}`)).body.text)).toBe(expected);
});

test('the lines of a log with timestamps start with the time', async () => {
  const { body } = await log('p', '?timestamps=true&tailLines=1');
  expect(text(body.text)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ three\n$/);
});

test.each([
  ['both', '', 400, 'a container name must be specified for pod both, choose one of: [a b]'],
  ['both', '?container=x', 400, 'container x is not valid for pod both'],
  ['p', '?previous=true', 400, 'previous terminated container "c" in pod "p" not found'],
  ['waiting', '', 400, 'container "c" in pod "waiting" is waiting to start: trying and failing to pull image'],
  ['none', '', 404, 'pods "none" not found'],
  [
    'p',
    '?tailLines=-1',
    422,
    'PodLogOptions "p" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
  ],
])('the log parameter %s%s is rejected', async (pod, query, code, message) => {
  const reply = await log(pod, query);
  expect([reply.code, reply.body.message]).toEqual([code, message]);
});

test('following a log ends with its pod', async () => {
  const received = await follow('both', 'a', () => void cluster.api.send('DELETE', `${PODS}/both`));
  expect(received).toBe('one\ntwo\nthree\n');
});

test('following a log ends with its container, although the pod restarts it', async () => {
  const { api } = cluster;
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'restarted' } };
  await cluster.create('v1', 'pods', { ...pod, spec: { containers: [{ name: 'c', image: 'i' }] } });
  await api.until(`${PODS}/restarted`, ({ body }) => text(body.status?.phase) === 'Running');
  const received = await follow('restarted', 'c', () => {
    const containerStatuses = [{ name: 'c', restartCount: 1, state: { running: {} } }];
    void api.patch(`${PODS}/restarted/status`, 'strategic-merge', { status: { containerStatuses } });
  });
  expect(received).toBe('one\ntwo\nthree\n');
});

test('a pod ends immediately if its container reads from a client that would attach to it', async () => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'interactive' } };
  const container = { name: 'c', image: 'i', stdin: true, stdinOnce: true, tty: true };
  await cluster.create('v1', 'pods', { ...pod, spec: { restartPolicy: 'Never', containers: [container] } });
  const { body } = await cluster.api.until(`${PODS}/interactive`, ({ body: { status } }) =>
    ['Succeeded', 'Failed'].includes(text(status?.phase)),
  );
  expect(body.status?.phase).toBe('Succeeded');
});

/** Resolves to the log of a container when the server ends it. */
function follow(pod: string, container: string, onStart: () => void): Promise<string> {
  const { server } = cluster.api;
  const url = new URL(`${PODS}/${pod}/log?container=${container}&follow=true`, server.url);
  const headers = { authorization: `Bearer ${server.token}` };
  return new Promise<string>((resolve, reject) => {
    const call = request(url, { ca: server.caPem, servername: 'localhost', headers }, (response) => {
      let lines = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        lines += chunk;
        onStart();
      });
      response.on('end', () => resolve(lines));
    });
    call.on('error', reject);
    call.end();
  });
}

test.each(['exec', 'attach', 'portforward', 'proxy'])(
  '%s reports that simulated pods do not support it',
  async (sub) => {
    const { code, body } = await cluster.api.send('GET', `${PODS}/p/${sub}`);
    expect([code, body.message]).toEqual([
      501,
      `the embedded server cannot serve pods/${sub}: its pods are simulated: they have no processes and no network`,
    ]);
  },
);

test.each(['services/kubernetes', 'services/https:kubernetes:443', 'pods/p:8080'])(
  'a proxy to %s, with or without a path, reports the same error',
  async (target) => {
    const { code, body } = await cluster.api.send('GET', `/api/v1/namespaces/default/${target}/proxy/healthz/all`);
    expect([code, body.message]).toEqual([
      501,
      `the embedded server cannot serve ${target.split('/')[0]}/proxy: its pods are simulated: they have no processes and no network`,
    ]);
  },
);

test.each([
  ['services/nope:http', 404, 'services "nope" not found'],
  ['pods/a:b:c:d', 400, 'invalid pod request "a:b:c:d"'],
  ['services/ftp:kubernetes:1', 400, 'invalid service request "ftp:kubernetes:1"'],
])('a proxy to %s is rejected', async (target, expected, message) => {
  const { code, body } = await cluster.api.send('GET', `/api/v1/namespaces/default/${target}/proxy/`);
  expect([code, body.message]).toEqual([expected, message]);
});
