import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CustomResourceDefinition } from '../../src/api/kinds/kinds.js';
import { parseYaml } from '../../src/base/yaml.js';
import { moduleWith } from '../docs/doc-files.js';
import { limitTests } from '../time-limits.js';

limitTests(300_000);

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

const LAMP = `
import { CustomResource, Field, Kind } from 'kindwright';

class LampSpec {
  @Field() bulb!: string;
}
class LampStatus {
  @Field() isLit: boolean = false;
}

/** Lamp burns while its bulb is whole. */
@Kind({ group: 'demo.example.com', version: 'v1' })
export class Lamp extends CustomResource {
  @Field() spec!: LampSpec;
  @Field() status!: LampStatus;

  reconcile(): void {
    if (this.spec.bulb === 'broken') throw new TypeError('the bulb is broken');
    this.status.isLit = true;
  }
}
`;
const THROW_LINE = LAMP.slice(0, LAMP.indexOf('throw')).split('\n').length;

/** Three tests that fail. */
const failingTests = (runner: string) => `
import { afterAll, beforeAll, expect, test } from '${runner}';
import { eventually, startCluster, type Cluster } from 'kindwright/testing';
import { Lamp } from './lamp.js';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
  await cluster.run(Lamp);
});
afterAll(() => cluster.stop());

const lampWith = async (bulb: string) => {
  const namespace = await cluster.namespace();
  await cluster.create(Lamp, { metadata: { name: 'lamp', namespace }, spec: { bulb } });
  return async () => (await cluster.client.get(Lamp, 'lamp', { namespace })).status?.isLit;
};

test('operator throws', async () => {
  const isLit = await lampWith('broken');
  await eventually(async () => expect(await isLit()).toBe(true));
});

test('wrong expectation', async () => {
  const isLit = await lampWith('whole');
  await eventually(async () => expect(await isLit()).toBe('green'));
});

test('limit of the runner', async () => {
  const isLit = await lampWith('broken');
  await eventually(async () => expect(await isLit()).toBe(true), { timeout: '5s' });
}, 3000);
`;

/** The examples of docs/testing.md in a project with only the packages that the page installs. */
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
  /** The output of a command that exits with 1. */
  const outputOfFailing = async (...command: Parameters<typeof run>): Promise<string> => {
    const { code, stdout, stderr } = await run(...command).then(
      (output) => ({ code: 0, stdout: output, stderr: '' }),
      (error: unknown) => error as { readonly code: number; readonly stdout: string; readonly stderr: string },
    );
    expect({ code, output: stdout + stderr }).toMatchObject({ code: 1 });
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
      'operators/lamp.ts': LAMP,
      'operators/lamp.jest.test.ts': failingTests('@jest/globals'),
      'operators/lamp.vitest.test.ts': failingTests('vitest'),
      'operators/podset.ts': moduleWith('README.md', 'class PodSetSpec'),
      'operators/podset.test.ts': moduleWith('docs/testing.md', "from '@jest/globals'"),
      'operators/podset.vitest.test.ts': moduleWith('docs/testing.md', "from 'vitest'"),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const quietly = ['--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=0'];
    await run('npm', ['pack', root, '--ignore-scripts', ...quietly]);
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
    const commands = [
      ...readFileSync(join(root, 'docs', 'testing.md'), 'utf8').matchAll(/^npm install --save-dev (.*)$/gm),
    ];
    const tools = commands.flatMap(([, names = '']) => names.split(' '));
    await run('npm', ['install', ...quietly, `./${tarball ?? ''}`, 'class-validator', ...tools]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('tests of a user run with jest, as configured in docs/testing.md', async () => {
    const env = { NODE_OPTIONS: '--experimental-vm-modules' };
    expect(await run('npx', ['jest', 'operators/podset.test.ts'], env)).toMatch(/Tests: +3 passed, 3 total/);
  });

  test('tests of a user run with Vitest, as configured in docs/testing.md', async () => {
    expect(await run('npx', ['vitest', 'run', 'podset.vitest'])).toMatch(/Tests +1 passed/);
  });

  test('tests of a user see the schema of the generated CRD, with optional fields and doc comments, in both runners', async () => {
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

  test.each([
    ['jest', ['jest', 'lamp.jest'], { NODE_OPTIONS: '--experimental-vm-modules' }, /^ {2}● /m],
    ['vitest', ['vitest', 'run', 'lamp.vitest'], {}, /^ FAIL /m],
  ] as const)('tests of a user print why they fail in %s', async (_runner, command, env, start) => {
    const sections = (await outputOfFailing('npx', command, env)).split(start);
    const sectionOf = (title: string) => sections.find((section) => section.split('\n')[0]?.endsWith(title));
    const operatorError = new RegExp(
      `  lamp test-\\w+/lamp: TypeError: the bulb is broken.*\\n +operators/lamp\\.ts:${THROW_LINE}:\\d+\\n`,
    );
    const timeline = /Reconciles since the test began:\n +\d+ ms {2}lamp test-\w+\/lamp: /;

    const throwing = sectionOf('operator throws');
    expect(throwing).toMatch(/\bto be true\b|Expected: true/);
    expect(throwing).toMatch(operatorError);
    expect(throwing).toMatch(timeline);

    const wrong = sectionOf('wrong expectation');
    expect(wrong).toMatch(/expected true to be 'green'|Expected: "green"\n +Received: true/);
    expect(wrong).toMatch(timeline);

    const limit = sectionOf('limit of the runner');
    expect(limit).toMatch(/timeout of 3000 ms|timed out in 3000ms/);
    expect(limit).toMatch(
      /A call of eventually has failed \(attempts: \d+\), last with:\n.*[Ee]rror: .*\btoBe\b|to be true/,
    );
    expect(limit).toMatch(operatorError);
    expect(limit).toMatch(timeline);
  });

  test('jest without support of ES modules fails with an explanation', async () => {
    await expect(run('npx', ['jest', 'gauge.jest'])).rejects.toMatchObject({
      stderr: expect.stringContaining('hint: NODE_OPTIONS=--experimental-vm-modules npx jest'),
    });
  });
});
