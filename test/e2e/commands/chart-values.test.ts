import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { UnstructuredObject } from '../../../src/api/objects/kube-object.js';
import { parseYamlDocuments } from '../../../src/base/yaml.js';
import { generateManifests } from '../../../src/manifests/generate.js';
import type { CertificateSource } from '../../../src/manifests/operator.js';
import { writeManifests } from '../../../src/manifests/output/write.js';
import { findHelm } from '../../controlplane/binaries.js';
import { load, loadOperators } from '../../manifests/operator-models.js';
import { limitTests } from '../../time-limits.js';

limitTests(120_000);

const folders: Record<CertificateSource, string> = { self: folder(), 'cert-manager': folder(), files: folder() };
let helm: string;
beforeAll(async () => {
  const operators = [...(await loadOperators()), ...(await load('docs/examples/replicated-cache.ts'))];
  for (const [certificates, path] of Object.entries(folders) as [CertificateSource, string][])
    writeManifests(generateManifests(operators, { layout: 'helm', certificates }), path);
  helm = await findHelm();
}, 600_000);
afterAll(() => {
  for (const path of Object.values(folders)) rmSync(path, { recursive: true });
});

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'kindwright-values-'));
}

/** The objects of a chart with values, by kind and name. */
async function render(
  name: string,
  values: readonly string[] = [],
  certificates: CertificateSource = 'self',
): Promise<Record<string, UnstructuredObject>> {
  const set = values.flatMap((value) => ['--set', value]);
  const args = ['template', name, `${name}/chart`, '--namespace', 'ops', ...set];
  const { stdout } = await promisify(execFile)(helm, args, { cwd: folders[certificates], maxBuffer: 1 << 26 });
  const objects = parseYamlDocuments(stdout, 'output') as UnstructuredObject[];
  return Object.fromEntries(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object]));
}

const podOf = (objects: Record<string, UnstructuredObject>) =>
  objects['Deployment podset-controller-manager']?.['spec'];

describe('the values of a chart', () => {
  test('the security contexts, the priority and the grace period of the pods are values', async () => {
    const objects = await render('podset', [
      'podSecurityContext.runAsUser=1000',
      'securityContext.runAsGroup=1001',
      'terminationGracePeriodSeconds=5',
      'priorityClassName=system-cluster-critical',
      'topologySpreadConstraints[0].maxSkew=1',
    ]);
    expect(podOf(objects)).toMatchObject({
      template: {
        spec: {
          securityContext: { runAsNonRoot: true, runAsUser: 1000 },
          terminationGracePeriodSeconds: 5,
          priorityClassName: 'system-cluster-critical',
          topologySpreadConstraints: [{ maxSkew: 1 }],
          containers: [{ securityContext: { readOnlyRootFilesystem: true, runAsGroup: 1001 } }],
        },
      },
    });
  });

  test('the pods run as an account that exists, with the roles of the operator', async () => {
    const objects = await render('podset', ['serviceAccount.create=false', 'serviceAccount.name=shared']);
    expect(Object.keys(objects).filter((name) => name.startsWith('ServiceAccount'))).toEqual([]);
    expect(podOf(objects)).toMatchObject({ template: { spec: { serviceAccountName: 'shared' } } });
    expect(objects['ClusterRoleBinding podset-manager-rolebinding']).toMatchObject({
      subjects: [{ kind: 'ServiceAccount', name: 'shared', namespace: 'ops' }],
    });
  });

  test('the roles for users can be left out', async () => {
    const names = (objects: object) => Object.keys(objects).filter((name) => /-(admin|editor|viewer)-role$/.test(name));
    expect(names(await render('podset'))).toHaveLength(3);
    expect(names(await render('podset', ['rbac.helpers.enabled=false']))).toEqual([]);
  });

  test('the port of the metrics is that of the Service, of the container and of the NetworkPolicy', async () => {
    const objects = await render('podset', [
      'metrics.enabled=true',
      'metrics.networkPolicy.enabled=true',
      'metrics.port=8443',
    ]);
    const ports = [{ name: 'https', port: 8443, protocol: 'TCP', targetPort: 8443 }];
    expect(objects['Service podset-controller-manager-metrics-service']).toMatchObject({ spec: { ports } });
    expect(JSON.stringify(objects['NetworkPolicy podset-allow-metrics-traffic'])).toContain('"port":8443');
    expect(podOf(objects)).toMatchObject({
      template: {
        spec: {
          containers: [
            {
              args: expect.arrayContaining(['--metrics-bind-address=:8443']),
              ports: expect.arrayContaining([{ name: 'metrics', containerPort: 8443, protocol: 'TCP' }]),
            },
          ],
        },
      },
    });
  });
});

describe('webhook.enabled', () => {
  const CERTIFICATES = ['self', 'cert-manager', 'files'] as const;

  test.each(CERTIFICATES)('webhooks with certificates of %s can be disabled', async (certificates) => {
    const on = await render('replicatedcache', [], certificates);
    const off = await render('replicatedcache', ['webhook.enabled=false'], certificates);
    expect(JSON.stringify(on)).toMatch(/--webhook-(authority|cert-dir)=/);
    const removed = Object.keys(on).filter((name) => !(name in off));
    expect(removed.join()).toMatch(/WebhookConfiguration .*Service replicatedcache-webhook-service|Service .*Webhook/);
    expect(JSON.stringify(off)).not.toMatch(/--webhook-|WebhookConfiguration"|"secretName"/);
  });
});
