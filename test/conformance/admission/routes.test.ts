import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AdmissionSuite, text, type Reply } from '../../e2e/admission/admission-suite.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'];
const TAILS = ['', '/', '/x', '/x/status', '/x/nope', '/x/status/more'];
const GROUP = 'routes.example.com';

let suite: AdmissionSuite;
beforeAll(async () => {
  suite = await AdmissionSuite.start();
  await define('wons', 'Won', 'Namespaced');
  await define('woos', 'Woo', 'Cluster');
});
afterAll(() => suite.stop());

async function define(plural: string, kind: string, scope: string): Promise<void> {
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  await suite.must('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope,
      names: { plural, kind },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, subresources: { status: {} } },
      ],
    },
  });
  await suite.until(
    () => suite.send('GET', `/apis/${GROUP}/v1/${plural}`),
    ({ code }) => code === 200,
  );
}

/** The summary of a response. */
function told({ code, body, headers }: Reply, method: string): string {
  const type = String(headers?.['content-type']);
  const refusal = body.message === undefined ? 'no Status' : text(body.message);
  const what = method === 'HEAD' || code < 400 ? '' : refusal;
  return `${code} ${type.startsWith('text/plain') ? 'text' : what}`.trim();
}

async function answers(path: string): Promise<Record<string, string>> {
  const replies = METHODS.map(async (method) => {
    // Nothing is changed, and a watch ends.
    const reply = await suite.send(method, `${path}?timeoutSeconds=1&dryRun=All`);
    return [method, told(reply, method)] as const;
  });
  const methods = new Map<string, string[]>();
  for (const [method, answer] of await Promise.all(replies))
    methods.set(answer, [...(methods.get(answer) ?? []), method]);
  return Object.fromEntries([...methods].map(([answer, list]) => [list.join(' '), answer]));
}

async function tableOf(paths: readonly string[]): Promise<object> {
  const rows = paths.map(async (path) => [path, await answers(path)] as const);
  return Object.fromEntries(await Promise.all(rows));
}

test.each([
  ['/api/v1', 'pods'],
  ['/api/v1', 'nodes'],
  ['/api/v1', 'bindings'],
  ['/api/v1', 'componentstatuses'],
  ['/apis/authorization.k8s.io/v1', 'subjectaccessreviews'],
  ['/apis/authorization.k8s.io/v1', 'localsubjectaccessreviews'],
  [`/apis/${GROUP}/v1`, 'wons'],
  [`/apis/${GROUP}/v1`, 'woos'],
])('the paths below %s/%s accept the same methods as those of Kubernetes', async (root, plural) => {
  const roots = ['', '/watch'].flatMap((watch) => [root + watch, `${root}${watch}/namespaces/default`]);
  const paths = roots.flatMap((each) => TAILS.map((tail) => `${each}/${plural}${tail}`));
  expect(await tableOf(paths)).toMatchSnapshot();
});

test('paths of documents accept the same methods and trailing slashes as those of Kubernetes', async () => {
  const paths = [
    ...['/', '/api', '/api/', '/api/v1', '/api/v2', '/apis', '/version', '/version/', '/version/nope'],
    ...['/apis/apps', '/apis/apps/v1', '/apis/apps/v1/', '/apis/apps/v9', '/apis/nope', '/apis/nope/v1'],
    ...[`/apis/${GROUP}`, `/apis/${GROUP}/v1`, `/apis/${GROUP}/v9`, '/apis/apiregistration.k8s.io'],
    ...['/apis/apiregistration.k8s.io/v9', '/healthz', '/healthz/', '/livez/ping', '/livez/ping/', '/readyz/'],
    ...['/openapi/v2/', '/openapi/v3/', '/openapi/v3/nope', '/openid/v1/jwks', '/openid/v1/jwks/'],
    ...['/.well-known/openid-configuration', '/metrics/', '/nope', '/api/v1/nope', '/apis/apps/v1/nope/x'],
    ...['/api/v1/watch', '/apis/apps/v1/watch/'],
  ];
  expect(await tableOf(paths)).toMatchSnapshot();
});

test('a path with an invalid escape is rejected before anything else', async () => {
  const replies = ['/%zz', '/api/v1/namespaces/%z/pods', '/api/v1/pods%'].map((path) => suite.send('GET', path));
  expect((await Promise.all(replies)).map((reply) => told(reply, 'GET'))).toEqual(['400 text', '400 text', '400 text']);
});

test('permission for a resource in a namespace does not apply to the cluster', async () => {
  const role = { rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['list'] }] };
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
  await suite.must('POST', `${rbac}/roles`, { metadata: { name: 'nodes' }, ...role });
  await suite.must('POST', `${rbac}/rolebindings`, {
    metadata: { name: 'nodes' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'nodes' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
  });
  const jane = suite.impersonating('jane');
  const path = '/api/v1/namespaces/default/nodes';
  const { body } = await suite.until(
    () => jane.send('GET', path),
    ({ code }) => code !== 403,
  );
  expect(body.message).toBe('the server could not find the requested resource');
  expect((await jane.send('GET', '/api/v1/nodes')).code).toBe(403);
});
