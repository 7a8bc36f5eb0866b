import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { CustomResourceDefinition } from '../../src/api/kinds.js';
import { parseYaml } from '../../src/base/yaml.js';
import { moduleWith } from '../docs/doc-files.js';

jest.setTimeout(300_000);

const root = join(import.meta.dirname, '..', '..');
const TSCONFIG = {
  compilerOptions: { module: 'NodeNext', target: 'ES2023', experimentalDecorators: true, emitDecoratorMetadata: true },
};

const GAUGE = `
import { CustomResource, Field, Kind } from 'kindwright';

/** GaugeSpec is the desired state of a Gauge. */
class GaugeSpec {
  /** Unit shown beside the value. */
  @Field() unit?: string;
  @Field({ enum: ['round', 'flat'] }) shape!: 'round' | 'flat';
}

/** Gauge shows a value. */
@Kind({ group: 'demo.example.com', version: 'v1' })
export abstract class Gauge extends CustomResource {
  @Field() spec!: GaugeSpec;
}
`;

/** Prints the schema that a test's cluster has of a Gauge. */
const schemaTest = (runner: string) => `
import { writeFileSync } from 'node:fs';
import { test } from '${runner}';
import { CustomResourceDefinition } from 'kindwright';
import { startCluster } from 'kindwright/testing';
import { Gauge } from './gauge.js';

test('the schema', async () => {
  await using cluster = await startCluster();
  await cluster.install(Gauge);
  const crd = await cluster.client.get(CustomResourceDefinition, 'gauges.demo.example.com');
  writeFileSync('schema-${runner.replaceAll(/\W/g, '')}.json', JSON.stringify(crd.spec.versions[0]?.schema?.openAPIV3Schema));
});
`;

/** The examples of docs/testing.md in a project that has nothing but what the page says to install. */
describe('a user’s tests with the packed package', () => {
  let folder: string;
  const run = async (command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
    const options = {
      cwd: folder,
      env: { ...process.env, PATH: path, NODE_OPTIONS: '', KUBEBUILDER_ASSETS: '', NO_COLOR: '1', ...env },
    };
    const { stdout, stderr } = await promisify(execFile)(command, args, options);
    return stdout + stderr;
  };

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'kindwright-testing-')));
    mkdirSync(join(folder, 'operators'));
    const files = {
      'package.json': '{ "type": "module", "private": true }',
      'tsconfig.json': JSON.stringify(TSCONFIG),
      'jest.config.js': moduleWith('docs/testing.md', 'kindwright/jest', 'js'),
      'vitest.config.ts': moduleWith('docs/testing.md', 'kindwright/vite'),
      'operators/gauge.ts': GAUGE,
      'operators/gauge.jest.test.ts': schemaTest('@jest/globals'),
      'operators/gauge.vitest.test.ts': schemaTest('vitest'),
      'operators/podset.ts': moduleWith('README.md', 'class PodSetSpec'),
      'operators/podset.test.ts': moduleWith('docs/testing.md', "from '@jest/globals'"),
      'operators/podset.vitest.test.ts': moduleWith('docs/testing.md', "from 'vitest'"),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=0'];
    await run('npm', ['pack', root, '--ignore-scripts', ...quietly]);
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
    const commands = [
      ...readFileSync(join(root, 'docs', 'testing.md'), 'utf8').matchAll(/^npm install --save-dev (.*)$/gm),
    ];
    const tools = commands.flatMap(([, names = '']) => names.split(' '));
    await run('npm', ['install', ...quietly, `./${tarball ?? ''}`, 'class-validator', ...tools]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('run with jest, as configured in docs/testing.md', async () => {
    const env = { NODE_OPTIONS: '--experimental-vm-modules' };
    expect(await run('npx', ['jest', 'operators/podset.test.ts'], env)).toMatch(/Tests: +3 passed, 3 total/);
  });

  test('run with vitest, as configured in docs/testing.md', async () => {
    expect(await run('npx', ['vitest', 'run', 'podset.vitest'])).toMatch(/Tests +1 passed/);
  });

  test('see the schema of the generated CRD, with optional fields and doc comments, in both runners', async () => {
    await run('npx', ['generate-manifests', 'operators/gauge.ts']);
    await run('npx', ['jest', 'gauge.jest'], { NODE_OPTIONS: '--experimental-vm-modules' });
    await run('npx', ['vitest', 'run', 'gauge.vitest']);
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    const crd = parseYaml(read('crds-out/demo.example.com_gauges.yaml'), 'the CRD') as CustomResourceDefinition;
    const schema = crd.spec.versions[0]?.schema?.openAPIV3Schema;
    expect(schema).toMatchObject({
      properties: {
        spec: { required: ['shape'], properties: { unit: { description: 'Unit shown beside the value.' } } },
      },
    });
    for (const runner of ['jestglobals', 'vitest']) expect(JSON.parse(read(`schema-${runner}.json`))).toEqual(schema);
  });

  test('explain what to do when jest runs without support of ES modules', async () => {
    await expect(run('npx', ['jest', 'gauge.jest'])).rejects.toMatchObject({
      stderr: expect.stringContaining('hint: NODE_OPTIONS=--experimental-vm-modules npx jest'),
    });
  });
});
