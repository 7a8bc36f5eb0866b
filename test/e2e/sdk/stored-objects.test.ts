import { beforeAll, expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CustomResourceDefinition } from 'kindwright';
import { eventually } from 'kindwright/testing';
import { parseYaml } from '../../../src/base/yaml.js';
import type { KindRef } from '../../../src/api/kinds/kind-ref.js';
import type { UnstructuredObject } from '../../../src/api/objects/kube-object.js';
import { ProjectSuite } from './project-suite.js';

const gauge = (fields: string) => `
import { CustomResource, Field, Kind } from 'kindwright';

class GaugeSpec {
${fields}
}

@Kind({ group: 'demo.example.com', version: 'v1' })
export class Gauge extends CustomResource {
  @Field() spec!: GaugeSpec;
  reconcile(): void {}
}
`;
const Gauge: KindRef<UnstructuredObject> = {
  group: 'demo.example.com',
  version: 'v1',
  kind: 'Gauge',
  plural: 'gauges',
  scope: 'Namespaced',
};

const suite = new ProjectSuite({
  'operators/gauge.ts': gauge(`
  @Field({ optional: true, enum: ['bar', 'psi'] }) unit?: string;
  @Field({ optional: true }) label?: string;
  @Field({ optional: true, type: 'integer' }) level?: number;`),
});
beforeAll(async () => {
  await suite.project.run('generate-manifests', ['--out', 'old']);
  const crd = join(suite.project.folder, 'old', 'demo.example.com_gauges.yaml');
  await suite.client.create(
    CustomResourceDefinition,
    parseYaml(readFileSync(crd, 'utf8'), crd) as CustomResourceDefinition,
  );
  for (const [name, spec] of Object.entries({ good: { unit: 'bar' }, bad: { unit: 'psi', label: 'x', level: 7 } }))
    await eventually(() => suite.client.create(Gauge, { metadata: { name, namespace: 'default' }, spec }));
});

const generate = (...args: string[]) => suite.kindwright('generate-manifests', '--cluster', ...args);
const isWritten = () => existsSync(join(suite.project.folder, 'crds-out'));

test('stored objects that would be invalid under a new schema are listed, and nothing is written', async () => {
  suite.project.write({
    'operators/gauge.ts': gauge(`
  @Field({ optional: true, enum: ['bar'] }) unit?: string;
  @Field({ optional: true, type: 'integer', maximum: 5 }) level?: number;`),
  });
  const { exitCode, stdout, stderr } = await generate();
  expect({ exitCode, isWritten: isWritten() }).toEqual({ exitCode: 1, isWritten: false });
  expect(stdout).toBe(`checked 2 stored objects of gauges.demo.example.com
  gauges.demo.example.com default/bad: spec.label: would be dropped
  gauges.demo.example.com default/bad: spec.level: Invalid value: 7: spec.level in body should be less than or equal to 5
  gauges.demo.example.com default/bad: spec.unit: Unsupported value: "psi": supported values: "bar"
`);
  expect(stderr).toMatch(/^error: 1 stored object at 127\.0\.0\.1:\d+ would fail validation under the new schema\n/);
});

test('valid stored objects do not prevent the change of a schema', async () => {
  suite.project.write({
    'operators/gauge.ts': gauge(`
  @Field({ optional: true, enum: ['bar', 'psi'] }) unit?: string;
  @Field({ optional: true }) label?: string;
  @Field({ optional: true, type: 'integer', maximum: 9 }) level?: number;
  @Field({ default: 'new' }) more!: string;`),
  });
  expect(await generate()).toMatchObject({ exitCode: 0, stderr: '' });
  expect(isWritten()).toBe(true);
});

test('a kind that is not served has no stored objects', async () => {
  suite.project.write({ 'operators/gauge.ts': gauge('  @Field() unit!: string;').replaceAll('Gauge', 'Meter') });
  expect(await generate('operators/gauge.ts')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('checked 0 stored objects of meters.demo.example.com\n'),
  });
});
