import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TemporaryProject } from '../../cli/temporary-project.js';
import { AdmissionSuite } from '../admission/admission-suite.js';
import { startSuiteControlPlane, type SuiteControlPlane } from '../suite-control-plane.js';

const group = 'migrations.example.com';

let cluster: SuiteControlPlane;
let suite: AdmissionSuite;
let project: TemporaryProject;

beforeAll(async () => {
  cluster = await startSuiteControlPlane();
  suite = await AdmissionSuite.start(Promise.resolve(cluster));
  project = new TemporaryProject();
});
afterAll(async () => {
  project.remove();
  await suite.stop();
});

const METER = (versions: readonly string[]) => `
import { CustomResource, Field, Kind } from 'kindwright';
class MeterSpec {
  @Field({ optional: true }) unit?: string;
}
${versions
  .map(
    (version, index) => `
@Kind({ group: '${group}', version: '${version}', kind: 'Meter'${index === 0 ? ', storage: true' : ''} })
export ${index === 0 ? '' : 'abstract '}class Meter${version.toUpperCase()} extends CustomResource {
  @Field() spec!: MeterSpec;
  ${index === 0 ? 'reconcile(): void {}' : ''}
}`,
  )
  .join('')}`;

test('a version in which objects may be stored cannot be dropped before a migration, and a rollback reads all objects (W29, G14)', async () => {
  const release = (...versions: string[]) => project.write({ 'operators/meter.ts': METER(versions) });
  const cli = (command: string, ...args: string[]) =>
    project.run('kindwright', [command, ...args, '--kubeconfig', cluster.kubeconfig]);
  const meters = (version: string) => `/apis/${group}/${version}/namespaces/default/meters`;
  const create = (version: string, name: string) =>
    suite.must('POST', meters(version), {
      apiVersion: `${group}/${version}`,
      kind: 'Meter',
      metadata: { name },
      spec: {},
    });
  const names = async (version: string) =>
    ((await suite.must('GET', meters(version))) as unknown as { items: { metadata: { name: string } }[] }).items.map(
      (item) => item.metadata.name,
    );

  release('v1beta1');
  expect(await cli('install')).toMatchObject({ exitCode: 0 });
  await create('v1beta1', 'first');
  release('v1', 'v1beta1');
  expect(await cli('install')).toMatchObject({ exitCode: 0 });
  await create('v1', 'second');

  release('v1');
  for (const args of [
    ['install'],
    ['deploy', '--image', 'registry.example.com/meter:3'],
    ['run-operator', '--install', '--log-format', 'text'],
    ['generate-manifests', '--cluster'],
  ])
    expect({ args, ...(await cli(args[0]!, ...args.slice(1))) }).toMatchObject({
      args,
      exitCode: 1,
      stderr: expect.stringMatching(
        /error: operators\/meter\.ts:\d+ MeterV1: CustomResourceDefinition meters\.migrations\.example\.com: objects may be stored in v1beta1, which it removes\n {2}hint: .*kindwright migrate-storage --crd meters\.migrations\.example\.com\n/,
      ),
    });

  release('v1beta1', 'v1'); // the release before the last one, with v1 served
  expect(await cli('install')).toMatchObject({ exitCode: 0 });
  expect(await names('v1beta1')).toEqual(['first', 'second']);
  release('v1', 'v1beta1');
  expect(await cli('install')).toMatchObject({ exitCode: 0 });

  release('v1');
  expect(await cli('migrate-storage')).toMatchObject({ exitCode: 0 });
  expect(await cli('install')).toMatchObject({ exitCode: 0 });
  expect(await names('v1')).toEqual(['first', 'second']);
});
