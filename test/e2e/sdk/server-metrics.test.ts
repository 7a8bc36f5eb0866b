import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';

const LEASE = 'apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: { name: counted }\nspec: {}\n';
const LEASES = 'group="coordination.k8s.io",resource="leases"';

let cluster: SuiteControlPlane;

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
});
afterAll(() => cluster.stop());

const metrics = (path = '/metrics'): Promise<string> => cluster.kubectl(['get', '--raw', path]);

test.each([
  ['POST', '201', '', 'resource', ['create', '-f', '-']],
  ['GET', '200', '', 'resource', ['get', 'lease', 'counted']],
  ['LIST', '200', '', 'namespace', ['get', 'leases', '-n', 'nowhere']],
  ['LIST', '200', '', 'cluster', ['get', 'leases', '-A']],
  ['PATCH', '200', '', 'resource', ['label', 'lease', 'counted', 'a=b']],
  ['APPLY', '200', 'All', 'resource', ['apply', '-f', '-', '--server-side', '--dry-run=server']],
  ['DELETE', '200', '', 'namespace', ['delete', '--raw', '/apis/coordination.k8s.io/v1/namespaces/nowhere/leases']],
  ['GET', '404', '', 'resource', ['get', 'lease', 'absent']],
])(
  'the server counts a request by its %s, its code %s, dry run "%s" and scope %s',
  async (verb, code, dryRun, scope, args) => {
    await cluster.kubectl(args, LEASE).catch(() => undefined);
    const labels = [`code="${code}",component="apiserver",dry_run="${dryRun}",${LEASES}`];
    labels.push(`scope="${scope}",subresource="",verb="${verb}",version="v1"`);
    expect(await metrics()).toMatch(new RegExp(`^apiserver_request_total{${labels.join(',')}} [1-9]\\d*$`, 'm'));
  },
);

test('the server exposes the metrics that dashboards query', async () => {
  const text = await metrics();
  expect(text).toMatch(/^kubernetes_build_info{.*git_version="v1\.36\.3".*} 1$/m);
  expect(text).toMatch(/^process_resident_memory_bytes [1-9]/m);
  expect(text).toMatch(/^apiserver_current_inflight_requests{request_kind="mutating"} \d/m);
  expect(text).toMatch(/^apiserver_flowcontrol_nominal_limit_seats{priority_level="workload-low"} 245$/m);
  expect(text).toMatch(/^apiserver_resource_objects{group="",resource="namespaces"} \d/m);
});

test('the results of health checks are metrics', async () => {
  expect(await metrics('/metrics/slis')).toMatch(/^kubernetes_healthcheck{name="etcd",type="readyz"} 1$/m);
});

test('the server lists the paths it serves', async () => {
  const { paths } = JSON.parse(await metrics('/')) as { paths: string[] };
  expect(paths).toEqual(expect.arrayContaining(['/healthz/ping', '/metrics', '/openapi/v3/', '/readyz/shutdown']));
  expect(paths).toEqual([...paths].sort());
});
