import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parseYamlDocuments } from '../../src/base/yaml.js';
import { TemporaryProject } from './temporary-project.js';

const GAUGE = `
import { CustomResource, Kind } from 'kindwright';

@Kind({ group: 'demo.example.com', version: 'v1' })
export class Gauge extends CustomResource {
  reconcile(): void {}
}
`;
const GAUGE_V2 = `
import { ConvertsTo, CustomResource, Kind } from 'kindwright';
import { Gauge } from './gauge.js';

@Kind({ group: 'demo.example.com', version: 'v2', kind: 'Gauge' })
@ConvertsTo(Gauge, [])
export class GaugeV2 extends CustomResource {}
`;

let project: TemporaryProject;
beforeEach(() => {
  project = new TemporaryProject();
});
afterEach(() => project.remove());

const generate = (...args: string[]) => project.run('generate-manifests', args);

interface Deployment {
  readonly kind: 'Deployment';
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly [{ readonly args: readonly string[] }] } };
  };
}
const isDeployment = (object: unknown): object is Deployment => (object as { kind?: unknown }).kind === 'Deployment';
function argumentsOf(operator: string, file: string): readonly string[] {
  const path = join(project.folder, 'crds-out', operator, file);
  const deployment = parseYamlDocuments(readFileSync(path, 'utf8'), path).find(isDeployment);
  return deployment?.spec.template.spec.containers[0].args ?? [];
}

describe('the Deployment of an operator', () => {
  test('the Deployment of an operator loads the files of all versions of its kinds', async () => {
    project.write({ 'operators/gauge.ts': GAUGE, 'operators/gauge-v2.ts': GAUGE_V2 });
    expect(await generate()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(argumentsOf('gauge', '07-deployment.yaml')).toEqual(
      expect.arrayContaining(['operators/gauge-v2.ts', 'operators/gauge.ts', '--webhook-authority=gauge']),
    );
  });

  test('versions with webhooks in files of their own belong to the operator that reconciles', async () => {
    const validated = GAUGE_V2.replace('{}\n', '{ @Validate() check(): void {} }\n').replace(
      '{ Conv',
      '{ Validate, Conv',
    );
    project.write({ 'operators/gauge.ts': GAUGE, 'operators/gauge-v2.ts': validated });
    expect((await generate()).stdout).not.toContain('gauge-v2/');
    expect(argumentsOf('gauge', '07-deployment.yaml')).toContain('operators/gauge-v2.ts');
  });

  test('an injected value that only another Deployment provides is an error', async () => {
    const dial = GAUGE.replaceAll('Gauge', 'Dial');
    const inject = '{\n  @Inject(Store) store!: Store;';
    const provide = '{\n  static onStart({ provide }: StartContext): void { provide(Store, new Store()); }';
    project.write({
      'store.ts': 'export class Store {}',
      'operators/gauge.ts': GAUGE.replace('CustomResource {', `CustomResource ${provide}`).replace(
        'import {',
        "import { Store } from '../store.js';\nimport { type StartContext,",
      ),
      'operators/dial.ts': dial
        .replace('CustomResource {', `CustomResource ${inject}`)
        .replace('import {', "import { Store } from '../store.js';\nimport { Inject,"),
    });
    const { exitCode, stderr } = await generate();
    expect(stderr).toMatch(
      /error: operators\/dial\.ts:\d+ Dial\.store: the Deployment of dial runs operators\/dial\.ts, and only operators\/gauge\.ts provides Store\n {2}hint: /,
    );
    expect(exitCode).toBe(78);
    project.write({
      'operators/all.ts': "export * from '../api/gauge.js';\nexport * from '../api/dial.js';",
      'api/gauge.ts': readFileSync(join(project.folder, 'operators', 'gauge.ts'), 'utf8'),
      'api/dial.ts': readFileSync(join(project.folder, 'operators', 'dial.ts'), 'utf8'),
    });
    expect(await generate('operators/all.ts')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('a file that an import cycle prevents from being loaded alone is an error', async () => {
    project.write({
      'operators/dial.ts': GAUGE.replaceAll('Gauge', 'Dial')
        .replace('import {', "import { Gauge } from './gauge.js';\nimport { Watches,")
        .replace('export class', '@Watches(Gauge, () => [])\nexport class'),
      'operators/gauge.ts': GAUGE.replace('import {', "import { Dial } from './dial.js';\nimport {").replace(
        'reconcile(): void {}',
        'reconcile(): void { void Dial; }',
      ),
    });
    const { exitCode, stderr } = await generate();
    expect(stderr).toMatch(
      /error: the Deployment of gauge loads only operators\/gauge\.ts, which fails: operators\/dial\.ts:\d+: Cannot access 'Gauge'.*\n {2}hint: /,
    );
    expect(exitCode).toBe(78);
  });
});
