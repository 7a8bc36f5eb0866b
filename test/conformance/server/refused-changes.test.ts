import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApiEndpoint } from '../../fidelity/api-endpoint.js';
import { REFUSED_CHANGES } from './refused-changes.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../../e2e/suite-control-plane.js';

let cluster: SuiteControlPlane;
let api: ApiEndpoint;
beforeAll(async () => {
  cluster = await startSuiteControlPlane({
    parts: ['etcd', 'apiserver'],
    apiserverArgs: ['--disable-admission-plugins=ServiceAccount'],
  });
  api = new ApiEndpoint(cluster.kubeconfig);
}, 60_000);
afterAll(async () => {
  api.close();
  await cluster.stop();
});

test.each(REFUSED_CHANGES)('a change %s is rejected with the same message', async (title, row) => {
  const name = `x${REFUSED_CHANGES.findIndex(([other]) => other === title)}`;
  const created = await api.send({ method: 'POST', path: row.path, body: { ...row.object, metadata: { name } } });
  expect(created.code).toBe(201);
  const { code, body } = await api.send({
    method: 'PATCH',
    path: `${row.path}/${name}${row.subresource ?? ''}`,
    body: row.change,
    contentType: 'application/merge-patch+json',
  });
  expect(code).toBe(422);
  expect((body as { message: string }).message.replace(name, 'x')).toMatchSnapshot();
});
