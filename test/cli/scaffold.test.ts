import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, linkSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CustomResourceDefinition } from '../../src/api/kinds/kinds.js';
import { parseYaml } from '../../src/base/yaml.js';
import { TemporaryProject } from './temporary-project.js';

let project: TemporaryProject;
beforeEach(() => {
  project = new TemporaryProject();
});
afterEach(() => project.remove());

const init = (...args: string[]) => project.run('kindwright', ['init', 'new', '--no-install', ...args]);
const create = (...args: string[]) => project.run('kindwright', ['create', 'kind', ...args]);
const read = (path: string) => readFileSync(join(project.folder, path), 'utf8');
const FILES = [
  '.devcontainer/devcontainer.json',
  '.dockerignore',
  '.github/workflows/ci.yml',
  '.github/workflows/e2e.yml',
  '.gitignore',
  '.kindwright/scaffold.json',
  '.vscode/launch.json',
  'AGENTS.md',
  'Dockerfile',
  'README.md',
  'operators/webapp.ts',
  'package.json',
  'test/webapp.test.ts',
  'tsconfig.json',
  'vitest.config.ts',
];

describe('kindwright init', () => {
  test('init writes a project and lists its files and the next commands', async () => {
    const { exitCode, stdout, stderr } = await init();
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const written = [...stdout.matchAll(/^wrote new\/(.*)$/gm)].map(([, path]) => path);
    expect(written.sort()).toEqual(FILES);
    expect(stdout).toMatch(/Next:\n {2}cd new\n {2}npm install\n {2}npm run generate\n {2}npm test\n {2}npm start\n$/);
  });

  test('init without a folder uses the working directory', async () => {
    const { stdout } = await project.run('kindwright', ['init', '--no-install', '--force']);
    expect(stdout).toMatch(/^wrote operators\/webapp\.ts$/m);
    expect(stdout).toMatch(/Next:\n {2}npm install\n/);
  });

  test('init keeps secrets out of the repository and the image', async () => {
    await init();
    const secrets = ['.env*', '.npmrc', '.cluster', '*.kubeconfig'];
    expect(read('new/.gitignore').split('\n')).toEqual(expect.arrayContaining(secrets));
    expect(read('new/.dockerignore').split('\n')).toEqual(expect.arrayContaining([...secrets, 'crds-out', 'test']));
    expect(read('new/Dockerfile')).not.toContain('COPY . .');
  });

  test('init adds a dependency on the kindwright that ran it', async () => {
    await init();
    const { dependencies } = JSON.parse(read('new/package.json')) as { dependencies: Record<string, string> };
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const wanted = dependencies['kindwright'] ?? '';
    expect(version).toMatch(/^\d/);
    expect(read(join('new', wanted.replace('file:', ''), 'package.json'))).toContain('"name": "kindwright"');
  });

  test('the commands in the README of a new project generate manifests that its CI accepts', async () => {
    await init();
    const { scripts, kindwright } = JSON.parse(read('new/package.json')) as {
      readonly scripts: Record<string, string>;
      readonly kindwright: { readonly image: string };
    };
    expect([scripts['generate'], scripts['check']]).toEqual([
      'generate-manifests',
      'tsc && generate-manifests --check',
    ]);
    expect(read('new/README.md')).toMatch(
      /^npm run generate\nnpm run docker-build\nnpm run docker-push\nnpm run deploy /m,
    );
    expect(scripts['docker-build']).toMatch(/docker build --tag \$\{IMG:-\$\(node -p ".+"\)\} \. /);
    expect(scripts).not.toHaveProperty('install'); // npm would run it during npm install
    await project.run('generate-manifests', [], {}, 'new');
    expect(read('new/crds-out/webapp/05-deployment.yaml')).toContain(`image: ${kindwright.image}\n`);
    expect(await project.run('generate-manifests', ['--check'], {}, 'new')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('init accepts a domain and a kind', async () => {
    await init('--domain', 'acme.io', '--kind', 'Memcached');
    expect(read('new/operators/memcached.ts')).toContain("@Kind({ group: 'apps.acme.io', version: 'v1alpha1' })");
  });

  test('init --dry-run writes nothing', async () => {
    const { exitCode, stdout } = await init('--dry-run');
    expect({ exitCode, lines: stdout.trimEnd().split('\n').length }).toEqual({ exitCode: 0, lines: FILES.length });
    expect(stdout).toMatch(/^would write new\/package\.json$/m);
    expect(existsSync(join(project.folder, 'new'))).toBe(false);
  });

  test('init overwrites files only with --force', async () => {
    project.write({ 'new/README.md': 'mine', 'new/tsconfig.json': '{}' });
    const { exitCode, stderr } = await init();
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/^error: new\/tsconfig.json, new\/README.md already exist; nothing was written\n/),
    });
    expect(readdirSync(join(project.folder, 'new')).sort()).toEqual(['README.md', 'tsconfig.json']);
    expect((await init('--force')).exitCode).toBe(0);
    expect(read('new/README.md')).toContain('# new\n');
  });

  test('a second init changes nothing', async () => {
    await init();
    const { exitCode, stdout } = await init();
    expect({ exitCode, stdout: stdout.includes('wrote') }).toEqual({ exitCode: 0, stdout: false });
  });

  test('init rejects a domain that is not valid in the group of an API', async () => {
    const { exitCode, stderr } = await init('--domain', 'Acme Inc');
    expect({ exitCode, stderr }).toEqual({ exitCode: 78, stderr: expect.stringContaining('group "apps.Acme Inc"') });
  });
});

describe('kindwright create webhook', () => {
  const createWebhook = (...args: string[]) => project.run('kindwright', ['create', 'webhook', 'Memcached', ...args]);

  test('create webhook adds methods to a class, and a test that compiles', async () => {
    project.write({ 'package.json': '{ "type": "module", "devDependencies": { "jest": "^30" } }' });
    await create('apps.example.com/v1', 'Memcached');
    // A file that is written in place changes under all its names.
    linkSync(join(project.folder, 'operators/memcached.ts'), join(project.folder, 'backup.ts'));
    chmodSync(join(project.folder, 'backup.ts'), 0o600);
    const { exitCode, stdout, stderr } = await createWebhook();
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(
      /^wrote test\/memcached-webhooks\.test\.ts\nwrote \.kindwright\/scaffold\.json\nchanged operators\/memcached\.ts\n\nNext: /,
    );
    expect(read('backup.ts')).not.toContain('@Mutate');
    expect(statSync(join(project.folder, 'operators/memcached.ts')).mode & 0o777).toBe(0o600);
    expect(await project.run('generate-manifests')).toMatchObject({ exitCode: 0 });
    const configurations = read('crds-out/memcached/08-webhooks.yaml');
    expect(configurations).toContain('path: /mutate-apps-example-com-memcached');
    expect(configurations).toContain('path: /validate-apps-example-com-memcached');
    const root = join(import.meta.dirname, '..', '..');
    const typeRoots = [join(root, 'node_modules/@types')];
    const compilerOptions = {
      rootDir: '/',
      typeRoots,
      paths: { '@jest/globals': [join(root, 'node_modules/@jest/globals/build/index.d.ts')] },
    };
    project.write({
      'tsconfig.json': JSON.stringify({ extends: join(root, 'tsconfig.json'), include: ['.'], compilerOptions }),
    });
    const tsc = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
    const compiled = spawnSync(process.execPath, [tsc, '-p', project.folder], { encoding: 'utf8' });
    expect(compiled).toMatchObject({ stdout: '', status: 0 });
  }, 60_000);

  test('create webhook adds a single method, and nothing with --dry-run', async () => {
    await create('apps.example.com/v1', 'Memcached');
    const before = read('operators/memcached.ts');
    expect((await createWebhook('--dry-run')).stdout).toMatch(/^would change operators\/memcached\.ts$/m);
    expect(read('operators/memcached.ts')).toBe(before);
    expect(await createWebhook('--validate')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(read('operators/memcached.ts')).toMatch(/, Validate, type Review \} from 'kindwright'/);
    expect(read('operators/memcached.ts')).not.toContain('@Mutate');
    expect((await createWebhook()).stderr).toMatch(
      /^error: operators\/memcached\.ts: Memcached has a method with @Validate already\n/,
    );
  });

  test('create webhook reports the command that creates a missing kind', async () => {
    expect(await createWebhook()).toMatchObject({
      exitCode: 78,
      stderr: expect.stringMatching(/no class of kind Memcached in operators\/\n {2}hint: kindwright create kind /),
    });
  });
});

describe('kindwright create kind', () => {
  test('create kind writes an operator that generate-manifests accepts', async () => {
    expect(await create('apps.example.com/v1', 'Memcached')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await project.run('generate-manifests')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(read('crds-out/apps.example.com_memcacheds.yaml')).toMatch(/^ {2}scope: Namespaced$/m);
  });

  test.each(['Object', 'Deployment', 'Context'])(
    'create kind names the class of kind %s otherwise, because the source uses the name',
    async (kind) => {
      expect(await create('apps.example.com/v1', kind)).toMatchObject({ exitCode: 0, stderr: '' });
      expect(await project.run('generate-manifests')).toMatchObject({ exitCode: 0 });
      expect(read(`operators/${kind.toLowerCase()}.ts`)).toContain(`export class ${kind}Resource extends`);
      expect(read(`crds-out/apps.example.com_${kind.toLowerCase()}s.yaml`)).toMatch(
        new RegExp(`^ {4}kind: ${kind}$`, 'm'),
      );
    },
  );

  test('create kind --cluster-scoped writes an operator of a cluster-scoped kind', async () => {
    expect(await create('apps.example.com/v1', 'Region', '--cluster-scoped')).toMatchObject({ exitCode: 0 });
    expect(await project.run('generate-manifests')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(read('crds-out/apps.example.com_regions.yaml')).toMatch(/^ {2}scope: Cluster$/m);
  });

  test('create kind adds a further version of an existing kind to its definition', async () => {
    await create('apps.example.com/v1', 'Memcached');
    const { exitCode, stdout, stderr } = await create('apps.example.com/v2beta1', 'Memcached');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(
      /^wrote operators\/memcached-v2beta1\.ts\nwrote .*\n\nNext: .* v2beta1 in .*, which are those of Memcached,/,
    );
    expect(await project.run('generate-manifests')).toMatchObject({ exitCode: 0, stderr: '' });
    const crd = parseYaml(read('crds-out/apps.example.com_memcacheds.yaml'), 'crd') as CustomResourceDefinition;
    expect(crd.spec.versions).toMatchObject([
      { name: 'v1', served: true, storage: true },
      { name: 'v2beta1', served: true, storage: false, subresources: { status: {} } },
    ]);
    expect(readdirSync(join(project.folder, 'crds-out'))).toEqual([
      ...['Dockerfile', 'apps.example.com_memcacheds.yaml', 'memcached', 'samples'],
    ]);
  });

  test('create kind writes a further version with an example of @ConvertsTo that works', async () => {
    await create('apps.example.com/v1', 'Memcached');
    await create('apps.example.com/v2', 'Memcached');
    const path = 'operators/memcached-v2.ts';
    const [, decorator = ''] = /^\/\/ {3}(@ConvertsTo\(.*\))$/m.exec(read(path)) ?? [];
    const renamed = read(path).replace('replicas!: number', 'size!: number').replace('.spec.replicas', '.spec.size');
    const imports = "import { ConvertsTo, move } from 'kindwright';\nimport { Memcached } from './memcached.js';\n";
    project.write({ [path]: imports + renamed.replace(/^@Kind/m, `${decorator}\n@Kind`) });
    expect(await project.run('generate-manifests')).toMatchObject({ exitCode: 0, stderr: '' });
    const crd = parseYaml(read('crds-out/apps.example.com_memcacheds.yaml'), 'crd') as CustomResourceDefinition;
    expect(crd.spec.conversion).toMatchObject({ strategy: 'Webhook' });
  });

  test('create kind uses the plural and scope of the existing kind, even before the project can be loaded', async () => {
    const mine = `import { missing } from './missing.js';
@Kind({ group: 'apps.example.com', version: 'v1', plural: 'memcachen', scope: 'Cluster' })
export class Memcached extends CustomResource {}`;
    project.write({ 'operators/mine.ts': mine });
    expect(await create('apps.example.com/v2', 'Memcached')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(read('operators/memcached-v2.ts')).toContain(
      "@Kind({ group: 'apps.example.com', version: 'v2', kind: 'Memcached', plural: 'memcachen', scope: 'Cluster' })",
    );
  });

  test('create kind treats a kind of the same name in another group as another kind', async () => {
    await create('apps.example.com/v1', 'Memcached');
    const { stderr } = await create('other.example.com/v2', 'Memcached');
    expect(stderr).toMatch(/already exists?; nothing was written/);
  });

  test('create kind overwrites an existing version or its file only with --force', async () => {
    await create('apps.example.com/v1', 'Memcached');
    await create('apps.example.com/v2', 'Memcached');
    const { exitCode, stderr } = await create('apps.example.com/v1', 'Memcached', '--force');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(
        /^error: operators\/memcached.ts: v1 of Memcached exists already: class Memcached\n/,
      ),
    });
    project.write({ 'operators/memcached-v2.ts': `${read('operators/memcached-v2.ts')}// mine\n` });
    expect((await create('apps.example.com/v2', 'Memcached')).stderr).toMatch(/memcached-v2.ts already exists/);
    expect((await create('apps.example.com/v2', 'Memcached', '--force')).exitCode).toBe(0);
    expect(read('operators/memcached-v2.ts')).not.toContain('// mine');
  });

  test('create kind writes a test for the test runner of the project', async () => {
    await create('apps.example.com/v1', 'First');
    expect(read('test/first.test.ts')).toContain("from 'vitest'");
    project.write({ 'package.json': '{ "type": "module", "devDependencies": { "jest": "^30" } }' });
    await create('apps.example.com/v1', 'Second');
    expect(read('test/second.test.ts')).toContain("from '@jest/globals'");
  });

  test('create kind overwrites an existing kind only with --force', async () => {
    await create('apps.example.com/v1', 'Memcached');
    project.write({ 'operators/memcached.ts': 'mine' });
    const { exitCode, stderr } = await create('apps.example.com/v1', 'Memcached');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/^error: operators\/memcached.ts already exists; nothing was written\n/),
    });
    expect(read('operators/memcached.ts')).toBe('mine');
    expect((await create('apps.example.com/v1', 'Memcached', '--force')).exitCode).toBe(0);
    expect(read('operators/memcached.ts')).toContain('class Memcached');
  });

  test('create kind --dry-run writes nothing', async () => {
    const { stdout } = await create('apps.example.com/v1', 'Memcached', '--dry-run');
    expect(stdout.split('\n')).toEqual([
      ...['would write operators/memcached.ts', 'would write test/memcached.test.ts'],
      ...['would write .kindwright/scaffold.json', ''],
    ]);
    expect(existsSync(join(project.folder, 'operators'))).toBe(false);
    expect(existsSync(join(project.folder, '.kindwright'))).toBe(false);
  });

  test.each([
    [['example', 'Memcached'], "'example' is not a group and version"],
    [['a.example.com/v1/x', 'Memcached'], "'a.example.com/v1/x' is not a group and version"],
    [['a.example.com/one', 'Memcached'], 'version "one" is not a valid Kubernetes API version'],
    [['a.example.com/v1', 'memcached'], 'kind "memcached" must be in PascalCase'],
    [['apps.k8s.io/v1', 'Memcached'], 'group "apps.k8s.io" is reserved for Kubernetes'],
  ])('create kind rejects %j', async (args, message) => {
    const { exitCode, stderr } = await create(...args);
    expect({ exitCode, stderr }).toEqual({ exitCode: 78, stderr: expect.stringContaining(message) });
  });
});

test('create kind requires a project', async () => {
  const { exitCode, stderr } = await project.run('kindwright', ['create', 'kind', 'a.example.com/v1', 'A'], {}, '..');
  expect({ exitCode, stderr }).toEqual({ exitCode: 78, stderr: expect.stringContaining('package.json not found') });
});

describe('kindwright create api', () => {
  const createApi = (...args: string[]) => project.run('kindwright', ['create', 'api', ...args]);
  const PODSET = ['--group', 'apps', '--version', 'v1alpha1', '--kind', 'PodSet'];

  test('create api completes the group by the domain that init was given', async () => {
    await project.run('kindwright', ['init', '--no-install', '--force', '--domain', 'jicki.cn']);
    expect(await createApi(...PODSET)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(read('operators/podset.ts')).toContain(`@Kind({ group: 'apps.jicki.cn', version: 'v1alpha1' })`);
  });

  test('create api writes what create kind writes, with the flags of kubebuilder', async () => {
    const flags = ['--resource', '--controller', '--namespaced=false'];
    expect((await createApi(...PODSET, '--group=apps.acme.io', ...flags)).exitCode).toBe(0);
    const written = read('operators/podset.ts');
    expect(await create('apps.acme.io/v1alpha1', 'PodSet', '--cluster-scoped')).toMatchObject({ exitCode: 0 });
    expect(read('operators/podset.ts')).toBe(written);
    expect(written).toContain(`scope: 'Cluster'`);
  });

  test('without a domain the whole group is needed, and each of the three names', async () => {
    const { exitCode, stderr } = await createApi(...PODSET);
    expect(exitCode).toBe(78);
    expect(stderr).toContain('hint: pass the whole group: --group apps.example.com');
    expect(await createApi('--group', 'apps', '--version', 'v1')).toMatchObject({ exitCode: 2 });
    expect((await createApi(...PODSET, '--namespaced=no')).stderr).toContain('Pass true or false.');
  });

  test('--version prints the version before a command and after other commands', async () => {
    for (const args of [['--version'], ['create', '--version'], ['create', 'kind', '--version']])
      expect((await project.run('kindwright', args)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
