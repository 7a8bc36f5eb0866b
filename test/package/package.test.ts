import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { limitTests } from '../time-limits.js';

limitTests(300_000);

const root = join(import.meta.dirname, '..', '..');
const execute = promisify(execFile);

const GAUGE = `
import { IsInt, Max, Min } from 'class-validator';
import { CustomResource, Deployment, Field, Kind, Owns, type Context } from 'kindwright';
import { ResourceRequirements } from 'kindwright/definitions';

/** GaugeSpec describes what to show */
class GaugeSpec {
  /** Percent is how full it is */
  @Field({ format: 'int32' }) @IsInt() @Min(0) @Max(100) percent!: number;
  @Field({ optional: true }) limits?: ResourceRequirements;
}

/** Gauge is the Schema for the gauges API */
@Kind({ group: 'demo.example.com', version: 'v1' })
@Owns(Deployment)
export class Gauge extends CustomResource {
  @Field() spec!: GaugeSpec;

  async reconcile(ctx: Context): Promise<void> {
    const deployment = await ctx.get(Deployment, this.metadata.name);
    ctx.log.info('seen', { replicas: deployment?.spec?.replicas });
  }
}
`;

const TSCONFIG = {
  compilerOptions: {
    module: 'NodeNext',
    target: 'ES2023',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
  },
  include: ['operators', 'program.ts'],
};

const PROGRAM = `
import * as kindwright from 'kindwright';
import * as definitions from 'kindwright/definitions';
import * as testing from 'kindwright/testing';

export const clock: kindwright.Clock = new testing.FakeClock();
export const client = (cluster: testing.Cluster): kindwright.Client => cluster.client;

console.log([typeof kindwright.Kind, typeof kindwright.Manager, typeof testing.FakeClock, typeof definitions.PodSpec].join());
`;

/** The package as a user gets it: packed, and installed in an empty folder. */
describe('the packed package', () => {
  let folder: string;
  const run = async (command: string, ...args: string[]) => {
    const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
    // The whole environment: it may configure the registry (npm_config_*, NODE_EXTRA_CA_CERTS, a proxy).
    const env = { ...process.env, PATH: path, NODE_OPTIONS: '' };
    const { stdout } = await execute(command, args, { cwd: folder, env });
    return stdout;
  };

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'kindwright-package-')));
    mkdirSync(join(folder, 'operators'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    writeFileSync(join(folder, 'operators', 'gauge.ts'), GAUGE);
    writeFileSync(join(folder, 'program.ts'), PROGRAM);
    const quietly = ['--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=0'];
    await run('npm', 'pack', root, '--ignore-scripts', ...quietly);
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
    await run('npm', 'install', ...quietly, `./${tarball ?? ''}`, 'class-validator');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('the packed package generates manifests from a class with constraints and doc comments', async () => {
    await run('npx', 'generate-manifests');
    const crd = readFileSync(join(folder, 'crds-out', 'demo.example.com_gauges.yaml'), 'utf8');
    expect(crd).toMatch(
      /limits:\n +description: ResourceRequirements [\s\S]*Percent is how full it is[\s\S]*maximum: 100/,
    );
  });

  test('the packed package has its entry points', async () => {
    expect(await run('node', 'program.ts')).toBe('function,function,function,function\n');
  });

  test('the packed package has its commands', async () => {
    expect(await run('npx', 'run-operator', '--help')).toContain('Usage: run-operator');
    expect(await run('npx', 'kindwright', '--help')).toContain('Usage: kindwright');
  });

  test('the packed package has types that a strict compiler resolves', async () => {
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    expect(await run('node', tsc, '-p', '.')).toBe('');
  });

  test('the packed package has no script that npm runs, or warns about, in the projects of its users', () => {
    const file = readFileSync(join(folder, 'node_modules', 'kindwright', 'package.json'), 'utf8');
    const { scripts } = JSON.parse(file) as { readonly scripts: Readonly<Record<string, string>> };
    const ofInstallation = ['preinstall', 'install', 'postinstall', 'prepare'];
    expect(Object.keys(scripts).filter((name) => ofInstallation.includes(name))).toEqual([]);
  });

  test('the packed package has one file of declarations for each entry point, and one for what these share', () => {
    const dist = join(folder, 'node_modules', 'kindwright', 'dist');
    const found = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.d.ts'));
    expect(found.sort()).toEqual(
      ['definitions', 'index', 'jest', 'shared', 'testing', 'vite'].map((name) => `${name}.d.ts`),
    );
  });

  test('the packed package contains no sources, tests and generated manifests', () => {
    const installed = join(folder, 'node_modules', 'kindwright');
    expect(existsSync(join(installed, 'dist', 'index.js'))).toBe(true);
    expect(readdirSync(installed).sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist',
      'docs',
      'package.json',
    ]);
  });
});
