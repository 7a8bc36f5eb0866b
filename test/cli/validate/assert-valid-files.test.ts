import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { TemporaryProject } from '../temporary-project.js';

const OPERATOR = `
import { CustomResource, Field, Kind, XValidation } from 'kindwright';

class GaugeSpec {
  @Field({ format: 'int32', minimum: 0 }) size!: number;
  @Field({ pattern: '^[a-z]+$' }) unit?: string;
}

@Kind({ group: 'demo.example.com', version: 'v1' })
@XValidation({ rule: "self.metadata.name != 'forbidden'", message: 'must have another name' })
export class Gauge extends CustomResource {
  @Field() spec!: GaugeSpec;
  reconcile(): void {}
}
`;
const DIALS = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'dials.other.example.com' },
  spec: {
    group: 'other.example.com',
    scope: 'Cluster',
    names: { kind: 'Dial', plural: 'dials' },
    versions: [
      {
        ...{ name: 'v2', served: true, storage: true },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } },
      },
    ],
  },
};
const VALID = `apiVersion: demo.example.com/v1
kind: Gauge
metadata:
  name: first
spec:
  size: 3
`;
const INVALID = `${VALID}---
apiVersion: demo.example.com/v1
kind: Gauge
metadata:
  name: forbidden
  namespace: shop
spec:
  siez: 3
  unit: Kelvin
`;

let project: TemporaryProject;
beforeEach(() => {
  project = new TemporaryProject({ 'operators/gauge.ts': OPERATOR, 'samples/valid.yaml': VALID });
});
afterEach(() => project.remove());

const validate = (...args: string[]) => project.run('kindwright', ['validate', ...args]);

describe('kindwright validate', () => {
  test('objects that the API server would accept are counted', async () => {
    expect(await validate('samples')).toEqual({
      exitCode: 0,
      stdout: '1 valid object, 0 invalid, 0 not checked, in 1 file\n',
      stderr: '',
    });
  });

  test('every error of an object is printed with its place', async () => {
    project.write({ 'samples/invalid.yaml': INVALID });
    const { exitCode, stdout } = await validate('samples');
    expect(exitCode).toBe(1);
    expect(stdout.split('\n')).toEqual([
      'samples/invalid.yaml:14:3: Gauge shop/forbidden: unknown field "spec.siez"',
      'samples/invalid.yaml:13:1: Gauge shop/forbidden: spec.size: Required value',
      `samples/invalid.yaml:15:3: Gauge shop/forbidden: Invalid value: "Kelvin": spec.unit in body should match '^[a-z]+$'`,
      expect.stringContaining('some validation rules were not checked'),
      '2 valid objects, 1 invalid, 0 not checked, in 2 files',
      '',
    ]);
  });

  test('a rule in CEL is checked once the schema holds', async () => {
    project.write({ 'samples/invalid.yaml': VALID.replace('first', 'forbidden') });
    const { stdout } = await validate('samples/invalid.yaml');
    expect(stdout).toContain('Gauge forbidden: Invalid value: must have another name');
  });

  test('the result in JSON has the same errors', async () => {
    project.write({ 'samples/invalid.yaml': INVALID });
    const { exitCode, stdout } = await validate('samples', '-o', 'json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      valid: 2,
      invalid: 1,
      unknown: [],
      errors: [
        { file: 'samples/invalid.yaml', line: 14, column: 3, object: 'Gauge shop/forbidden', field: 'spec.siez' },
        { line: 13, field: 'spec.size' },
        { line: 15, field: 'spec.unit' },
        { line: 8, field: '' },
      ],
    });
  });

  test('definitions in files are used, and the items of a List are objects', async () => {
    const items = [
      { apiVersion: 'other.example.com/v2', kind: 'Dial', metadata: { generateName: 'dial-' }, spec: {} },
      { apiVersion: 'other.example.com/v1', kind: 'Dial', metadata: { name: 'old' } },
      { apiVersion: 'other.example.com/v2', kind: 'Knob', metadata: { name: 'knob' } },
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } },
    ];
    project.write({
      'crds/dials.json': JSON.stringify(DIALS),
      'objects/list.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2),
    });
    const { exitCode, stdout, stderr } = await validate('objects', '--crds', 'crds');
    expect([exitCode, stderr]).toEqual([1, 'warning: 1 object not checked: no definition of Deployment of apps/v1\n']);
    expect(stdout).toBe(
      [
        'objects/list.json:14:7: Dial old: apiVersion: other.example.com/v1 is not served; use other.example.com/v2',
        'objects/list.json:21:7: Knob knob: apiVersion: no definition of Knob in other.example.com, which has Dial',
        '1 valid object, 2 invalid, 1 not checked, in 1 file',
        '',
      ].join('\n'),
    );
  });

  test('a document that is not an object is an error, also beside valid ones', async () => {
    project.write({ 'samples/text.yaml': `${VALID}---\nsome text\n---\nspec: {}\n` });
    const { exitCode, stdout } = await validate('samples/text.yaml');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('samples/text.yaml:8:1: document: is not an object of Kubernetes');
    expect(stdout).toContain('samples/text.yaml:10:1: object without name: is not an object of Kubernetes');
  });

  test('text that is not YAML is an error with its line', async () => {
    project.write({ 'samples/broken.yaml': 'a: [' });
    const { exitCode, stderr } = await validate('samples');
    expect([exitCode, stderr]).toEqual([78, expect.stringMatching(/samples\/broken.yaml: .*\(2:1|1:5/)]);
  });

  test('without a definition, or for a missing file, the error names what to pass', async () => {
    const empty = new TemporaryProject({ 'valid.yaml': VALID });
    try {
      const { exitCode, stderr } = await empty.run('kindwright', ['validate', 'valid.yaml']);
      expect([exitCode, stderr]).toEqual([78, expect.stringMatching(/describes a kind[^]*--crds/)]);
      const missing = await empty.run('kindwright', ['validate', 'missing.yaml']);
      expect([missing.exitCode, missing.stderr]).toEqual([78, expect.stringMatching(/missing.yaml does not exist/)]);
    } finally {
      empty.remove();
    }
  });
});
