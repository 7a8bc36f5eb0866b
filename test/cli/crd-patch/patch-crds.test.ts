import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { TemporaryProject } from '../temporary-project.js';

const OPERATOR = `
import { CustomResource, Field, Kind } from 'kindwright';

class Spec {
  @Field({ type: 'integer', format: 'int32', maximum: 5 }) size!: number;
}

@Kind({ group: 'demo.example.com', version: 'v1' })
export class Gauge extends CustomResource {
  @Field() spec!: Spec;
  reconcile(): void {}
}
`;
const crd = (kind: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: mine # by hand
spec:
  group: demo.example.com
  names: { kind: ${kind} }
  versions:
    - name: v1
      schema:
        openAPIV3Schema:
          type: object
      served: true # always
`;

let project: TemporaryProject;
beforeEach(() => {
  project = new TemporaryProject({
    'operators/gauge.ts': OPERATOR,
    'crd/gauge.yaml': crd('Gauge'),
    'crd/others/meter.yaml': crd('Meter'),
    'crd/template.yaml': '{{- if .Values.enabled }}\n',
  });
});
afterEach(() => project.remove());

const patch = (...args: string[]) => project.run('generate-manifests', ['--patch-crds', 'crd', ...args]);
const read = (path: string) => readFileSync(join(project.folder, path), 'utf8');

describe('generate-manifests --patch-crds', () => {
  test('--patch-crds replaces only the schemas of kinds with a class, and lists what it changed', async () => {
    expect(await patch()).toEqual({
      exitCode: 0,
      stdout:
        'patched crd/gauge.yaml: Gauge.demo.example.com/v1\n' +
        'crd/others/meter.yaml: Meter.demo.example.com has no class and is not changed\n' +
        'unchanged crd/others/meter.yaml\n',
      stderr: '',
    });
    expect(read('crd/gauge.yaml')).toMatch(/maximum: 5\n/);
    expect(read('crd/gauge.yaml').replace(/(openAPIV3Schema:\n)[^]*(\n {6}served)/, '$1          type: object$2')).toBe(
      crd('Gauge'),
    );
    expect(read('crd/others/meter.yaml')).toBe(crd('Meter'));
    expect(existsSync(join(project.folder, 'crds-out'))).toBe(false);
    expect((await patch()).stdout).toMatch(/^unchanged crd\/gauge\.yaml$/m);
  });

  test('--patch-crds --check prints the differences, changes nothing, and exits with 1', async () => {
    const { exitCode, stdout, stderr } = await patch('--check');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^--- a\/crd\/gauge\.yaml\n[^]*^\+ +maximum: 5$/m);
    expect(stderr).toMatch(
      /^error: the schemas in 1 file differ from those of the classes\n {2}hint: run generate-manifests --patch-crds crd\n/,
    );
    expect(read('crd/gauge.yaml')).toBe(crd('Gauge'));
    await patch();
    expect(await patch('--check')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('--patch-crds changes no file when one of them cannot be patched', async () => {
    project.write({ 'crd/z.yaml': crd('Gauge').replace(/openAPIV3Schema:\n.*/, 'openAPIV3Schema: { type: object }') });
    const { exitCode, stderr } = await patch();
    expect({ exitCode, stderr }).toEqual({
      exitCode: 78,
      stderr: expect.stringMatching(
        /^error: crd\/z\.yaml: Gauge\.demo\.example\.com\/v1: the schema cannot be replaced in the text\n {2}hint: /,
      ),
    });
    expect(read('crd/gauge.yaml')).toBe(crd('Gauge'));
  });

  test.each([
    ['missing', /^error: missing does not exist\n/],
    ['operators', /^error: no CustomResourceDefinition of apiextensions\.k8s\.io\/v1 in operators\n/],
  ])('--patch-crds %s is an error', async (path, message) => {
    const { exitCode, stderr } = await project.run('generate-manifests', ['--patch-crds', path]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 78, stderr: expect.stringMatching(message) });
  });

  test.each([
    [['--out', 'x']],
    [['--layout', 'plain']],
    [['--prune']],
    [['--single-file', 'x.yaml']],
    [['--image', 'x']],
  ])('--patch-crds is refused with %s', async (options) => {
    expect(await patch(...options)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(`^error: --patch-crds cannot be combined with ${options[0]}\n`),
    });
  });
});
