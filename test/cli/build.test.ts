import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TemporaryProject, type Outcome } from './temporary-project.js';

const GAUGE = `import { Context, CustomResource, Field, Kind, Sample } from 'kindwright';
import { level } from '../lib/level.js';

class GaugeSpec {
  @Field({ format: 'int32' }) level!: number;
  @Field({ pattern: '^[a-z]+$', default: 'water' }) medium!: string;
  @Field({ type: 'quantity', optional: true }) volume?: string;
}

@Kind({ group: 'example.com', version: 'v1' })
@Sample({ name: 'example', spec: { level: 1, medium: 'oil' } })
export class Gauge extends CustomResource {
  @Field() spec!: GaugeSpec;

  async reconcile(_ctx: Context): Promise<void> {
    level(this.spec.level);
  }
}
`;
const LEVEL = `export function level(value: number): number {
  if (value > 0) return value;
  throw new Error('the level is not positive');
}
`;
/** Of an empty text. */
const MD5 = 'd41d8cd98f00b204e9800998ecf8427e';
const FILES = { 'operators/gauge.ts': GAUGE, 'lib/level.ts': LEVEL };

/** A folder without node_modules, with the files that an image contains. */
function imageOf(project: TemporaryProject, copied: readonly string[]): string {
  const image = realpathSync(mkdtempSync(join(tmpdir(), 'kindwright-image-')));
  for (const path of copied) cpSync(join(project.folder, path), join(image, path), { recursive: true });
  return image;
}

function bundleOf(folder: string): Record<string, string> {
  const paths = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = paths.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(files.map((path) => [path.slice(folder.length), readFileSync(path, 'latin1')]));
}

describe('kindwright build', () => {
  const project = new TemporaryProject(FILES);
  let built: Outcome;

  beforeAll(async () => {
    built = await project.run('kindwright', ['build']);
  }, 120_000);
  afterAll(() => {
    project.remove();
  });

  test('does not replace a file of others, and writes nothing then', async () => {
    project.write({ 'own/operator.mjs': 'export {};\n' });
    expect(await project.run('kindwright', ['build', '--out', 'own'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /^error: own\/operator\.mjs was not written by kindwright build; nothing was written\n/,
      ),
    });
    expect(bundleOf(join(project.folder, 'own'))).toEqual({ '/operator.mjs': 'export {};\n' });
    rmSync(join(project.folder, 'own'), { recursive: true });
  });

  test('prints the written files with their sizes, and the time', () => {
    expect(built).toMatchObject({ exitCode: 0, stderr: '' });
    expect(built.stdout).toMatch(/^dist\/operator\.mjs +\d+\.\d kB$/m);
    expect(built.stdout).toMatch(/^\d+\.\d\d MB, and \d+\.\d\d MB of source maps, in \d+\.\d s\n$/m);
  });

  test('contains neither the API server nor packages that the operators do not use', () => {
    const code = Object.entries(bundleOf(join(project.folder, 'dist')));
    const text = code.filter(([path]) => path.endsWith('.mjs')).map(([, content]) => content);
    for (const name of ['EmbeddedApiServer', 'validateSync', 'RE2JS', 'CoreV1Api', 'transformSync', 'ajv'])
      expect({ name, found: text.some((content) => content.includes(`class ${name}`)) }).toEqual({
        name,
        found: false,
      });
    expect(text.join('').length).toBeLessThan(3_000_000);
  });

  test.each([
    ['no more than the decorators of class-validator that a class uses', '@Field() @MinLength(1)', false],
    ['all of class-validator for rules that are checked at run time', '@Field() @RuntimeOnly() @IsHash("md5")', true],
  ])(
    'contains %s',
    async (_, decorators, isWhole) => {
      const source = GAUGE.replace("@Field({ pattern: '^[a-z]+$', default: 'water' })", decorators).replace('oil', MD5);
      const imports = isWhole
        ? "import { IsHash } from 'class-validator';\n"
        : "import { MinLength } from 'class-validator';\n";
      const validated = new TemporaryProject({
        ...FILES,
        'operators/gauge.ts': imports + (isWhole ? source.replace('Kind,', 'Kind, RuntimeOnly,') : source),
      });
      try {
        expect(await validated.run('kindwright', ['build'])).toMatchObject({ exitCode: 0, stderr: '' });
        const code = Object.values(bundleOf(join(validated.folder, 'dist'))).join('');
        expect(code.includes('MinLength')).toBe(true);
        expect(code.includes('isMobilePhone')).toBe(isWhole);
        const run = spawnSync(process.execPath, ['dist/operator.mjs', '--kubeconfig', 'missing'], {
          cwd: validated.folder,
          encoding: 'utf8',
        });
        expect(run.stderr).toContain('missing');
      } finally {
        validated.remove();
      }
    },
    120_000,
  );

  test('contains the RE2 engine if it decides whether a rule is part of the schema', async () => {
    const matching = new TemporaryProject({
      ...FILES,
      'operators/gauge.ts': GAUGE.replace(
        "@Field({ pattern: '^[a-z]+$', default: 'water' })",
        '@Field() @Matches(/^[a-z]+$/)',
      ).replace(/^/, "import { Matches } from 'class-validator';\n"),
    });
    try {
      expect(await matching.run('kindwright', ['build'])).toMatchObject({ exitCode: 0, stderr: '' });
      expect(Object.values(bundleOf(join(matching.folder, 'dist'))).join('')).toContain('class RE2JS');
    } finally {
      matching.remove();
    }
  }, 120_000);

  test('writes the same bytes for the same sources in another folder, and deletes only files of earlier bundles', async () => {
    const others = { 'dist/install.yaml': 'kept', 'dist/operator/mine.mjs': 'kept' };
    const other = new TemporaryProject({ ...FILES, ...others, 'dist/operator/old-AAAAAAAA.mjs': '' });
    try {
      await other.run('kindwright', ['build']);
      const { '/install.yaml': install, '/operator/mine.mjs': mine, ...files } = bundleOf(join(other.folder, 'dist'));
      expect([install, mine]).toEqual(['kept', 'kept']);
      expect(Object.keys(files)).toEqual(Object.keys(bundleOf(join(project.folder, 'dist'))));
      expect(files).toEqual(bundleOf(join(project.folder, 'dist')));
    } finally {
      other.remove();
    }
  }, 120_000);

  test('reports errors in classes as generate-manifests does', async () => {
    const broken = new TemporaryProject({
      'operators/gauge.ts': GAUGE.replace('int32', 'int33'),
      'lib/level.ts': LEVEL,
    });
    try {
      const { exitCode, stderr } = await broken.run('generate-manifests');
      expect(await broken.run('kindwright', ['build'])).toEqual({ exitCode, stdout: '', stderr });
      expect({ exitCode, stderr }).toEqual({
        exitCode: 78,
        stderr: expect.stringContaining('operators/gauge.ts:5 GaugeSpec.level'),
      });
      expect(existsSync(join(broken.folder, 'dist'))).toBe(false);
    } finally {
      broken.remove();
    }
  }, 120_000);

  test('leaves external packages outside, and names an option for packages that it cannot bundle', async () => {
    const native = new TemporaryProject({
      ...FILES,
      'lib/level.ts': `import { add } from 'native-add';\nexport const level = add;\n`,
    });
    native.write({
      'node_modules/native-add/package.json': '{ "name": "native-add", "main": "index.js" }',
      'node_modules/native-add/index.js': `exports.add = (value) => value;\nif (process.env.NEVER) require('./add.node');\n`,
      'node_modules/native-add/add.node': '',
    });
    try {
      expect(await native.run('kindwright', ['build'])).toMatchObject({
        exitCode: 78,
        stderr: expect.stringContaining('--external <package>'),
      });
      expect(await native.run('kindwright', ['build', '--external', 'native-add'])).toMatchObject({ exitCode: 0 });
      const code = Object.values(bundleOf(join(native.folder, 'dist'))).join('');
      expect(code).toMatch(/from ?"native-add"/);
    } finally {
      native.remove();
    }
  }, 120_000);

  describe('the files that the Dockerfile copies', () => {
    let image: string;
    const run = (args: readonly string[]) =>
      spawnSync(process.execPath, ['dist/operator.mjs', ...args], { cwd: image, encoding: 'utf8', env: {} });

    beforeAll(() => {
      image = imageOf(project, ['dist']);
    });
    afterAll(() => {
      rmSync(image, { recursive: true });
    });

    test('have the options of run-operator without those for a computer of a developer', async () => {
      const { stdout: help } = await project.run('run-operator', ['--help']);
      const options = (text: string) => [...text.matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gm)].map(([, name]) => name);
      const missing = options(help).filter((name) => !options(run(['--help']).stdout).includes(name));
      expect(missing).toEqual([
        '--embedded',
        '--console',
        '--open',
        '--reload',
        '--data-dir',
        '--pod-delay',
        '--fail-pods',
        '--missing-images',
      ]);
    });

    test('run only files of the bundle', () => {
      expect(run(['operators/guage.ts', '--log-format', 'text'])).toMatchObject({
        status: 78,
        stderr: 'error: operators/guage.ts is not part of this bundle\n  hint: did you mean operators/gauge.ts?\n',
      });
    });

    test('name source lines in stack traces', () => {
      const { status, stderr } = run(['--kubeconfig', 'missing', '--log-format', 'text', '-v']);
      expect(status).toBe(78);
      expect(stderr).toMatch(
        /at async readKubeconfig \(.*dist\/operator\/kindwright\/src\/client\/config\/kubeconfig\.ts:\d+/,
      );
    });
  });
});
