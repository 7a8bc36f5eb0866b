import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { TemporaryProject } from '../temporary-project.js';

const RECORD = '.kindwright/scaffold.json';
/** The scaffold of the older version: file -> its content, made from that of the running version. */
type Older = Readonly<Record<string, (content: string) => string | undefined>>;

interface Recorded {
  readonly steps: { version: string; readonly step: object }[];
  readonly files: Record<string, string>;
}

describe('kindwright upgrade', () => {
  let project: TemporaryProject;
  beforeEach(() => {
    project = new TemporaryProject();
    rmSync(join(project.folder, 'package.json'));
  });
  afterEach(() => project.remove());

  const path = (file: string) => join(project.folder, file);
  const read = (file: string) => readFileSync(path(file), 'utf8');
  const record = () => JSON.parse(read(RECORD)) as Recorded;
  const run = (...args: string[]) => project.run('kindwright', args);
  const upgrade = (...args: string[]) => run('upgrade', ...args);
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: project.folder });

  /** Makes a project as version 0.0.9 would have, had its templates been those of `older`. */
  const olderProject = async (older: Older) => {
    await run('init', '.', '--no-install');
    outdate(older);
  };
  const outdate = (older: Older) => {
    const { steps, files, ...rest } = record();
    for (const step of steps) step.version = '0.0.9';
    for (const [file, before] of Object.entries(older)) {
      const content = before(files[file] ?? '');
      if (content === undefined) {
        Reflect.deleteProperty(files, file);
        rmSync(path(file));
      } else {
        files[file] = content;
        project.write({ [file]: content });
      }
    }
    project.write({ [RECORD]: JSON.stringify({ ...rest, steps, files }) });
  };

  test('upgrade replaces, merges, adds, restores and deletes files, and a second upgrade changes nothing', async () => {
    await olderProject({
      'tsconfig.json': (content) => content.replace('ES2023', 'ES2022'),
      'README.md': (content) => content.replace('npm run dev ', 'npm run demo '),
      'package.json': (content) => content.replace('"start": "kindwright demo",\n', '').replace('^6.0.0', '^5.9.0'),
      Dockerfile: (content) => content.replace('node:24-slim', 'node:22-slim'),
      'vitest.config.ts': () => undefined,
      '.eslintrc.json': () => '{}\n',
    });
    const newer = JSON.parse(read('package.json')) as { readonly scripts: object };
    project.write({
      'README.md': `${read('README.md')}\nMaintained by my team.\n`,
      'package.json': JSON.stringify({ ...newer, scripts: { ...newer.scripts, lint: 'eslint .' } }, undefined, 2),
      'operators/webapp.ts': `${read('operators/webapp.ts')}// mine\n`,
      'operators/other.ts': '// mine\n',
    });
    rmSync(path('Dockerfile'));
    const { exitCode, stdout, stderr } = await upgrade();
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.match(/^\w+ +[\w./]+$/gm)).toEqual([
      ...['deleted    .eslintrc.json', 'restored   Dockerfile', 'merged     README.md', 'merged     package.json'],
      ...['updated    tsconfig.json', 'added      vitest.config.ts'],
    ]);
    expect(stdout).toMatch(/^upgrade of the scaffold from kindwright 0\.0\.9 to \d.*\n[^]*\nNext: /);
    expect(read('README.md')).toMatch(/^npm run dev {7}#[^]*\nMaintained by my team\.\n$/m);
    expect(JSON.parse(read('package.json'))).toMatchObject({
      scripts: { start: 'kindwright demo', lint: 'eslint .' },
      devDependencies: { typescript: '^6.0.0' },
    });
    expect(read('tsconfig.json')).toContain('"target": "ES2023"');
    expect(existsSync(path('.eslintrc.json'))).toBe(false);
    expect([read('operators/webapp.ts').endsWith('// mine\n'), read('operators/other.ts')]).toEqual([
      true,
      '// mine\n',
    ]);

    const files = ['README.md', 'package.json', RECORD];
    const before = files.map(read);
    expect(await upgrade()).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/\nup to date\n$/) });
    expect(files.map(read)).toEqual(before);
  });

  test('upgrade marks conflicts, lists them and exits with 1', async () => {
    await olderProject({
      'tsconfig.json': (content) => content.replace('ES2023', 'ES2022'),
      Dockerfile: (content) => content.replaceAll('24-slim', '22-slim'),
    });
    project.write({ Dockerfile: read('Dockerfile').replace('node:22-slim AS', 'node:23 AS').replaceAll('\n', '\r\n') });
    const { exitCode, stdout, stderr } = await upgrade();
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/^error: conflicts in 1 file: Dockerfile\n {2}hint: choose between the lines /),
    });
    expect(stdout).toContain('conflict   Dockerfile\n             1 conflict\nupdated    tsconfig.json\n');
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const conflict = `<<<<<<< yours\r\nFROM --platform=$BUILDPLATFORM node:23 AS build\r\n=======\r\nFROM --platform=$BUILDPLATFORM node:24-slim AS build\r\n>>>>>>> kindwright ${version}\r\n`;
    expect(read('Dockerfile').startsWith(conflict)).toBe(true);
    expect(read('Dockerfile')).toContain('\r\nFROM node:24-slim\r\n# Less');
    expect(read('tsconfig.json')).toContain('"target": "ES2023"');
  });

  test('upgrade --dry-run prints the differences, with the exit code of an upgrade, and writes nothing', async () => {
    await olderProject({
      'tsconfig.json': (content) => content.replace('ES2023', 'ES2022'),
      '.gitignore': () => undefined,
    });
    const before = read(RECORD);
    const { exitCode, stdout } = await upgrade('--dry-run');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^upgrade .*: nothing is written\nadded {6}\.gitignore\n--- \/dev\/null\n\+\+\+ b\/\.gitignore\n/,
    );
    expect(stdout).toContain('-    "target": "ES2022",\n+    "target": "ES2023",\n');
    expect([read(RECORD) === before, existsSync(path('.gitignore'))]).toEqual([true, false]);
    project.write({ 'tsconfig.json': read('tsconfig.json').replace('ES2022', 'ES2021') });
    expect(await upgrade('--dry-run')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('tsconfig.json') });
    expect(read('tsconfig.json')).toContain('"target": "ES2021"');
  });

  test('upgrade leaves binary files and links as they are, and reports them each time', async () => {
    const older = (content: string) => `# old\n${content}`;
    await olderProject({ '.dockerignore': older, '.gitignore': older });
    writeFileSync(path('.dockerignore'), Buffer.from([0xff, 0xfe, 0x61, 0x00]));
    rmSync(path('.gitignore'));
    symlinkSync('README.md', path('.gitignore'));
    const expected = {
      exitCode: 1,
      stderr: expect.stringMatching(/^error: 2 files not merged: \.dockerignore, \.gitignore\n/),
    };
    expect(await upgrade()).toMatchObject(expected);
    expect(await upgrade()).toMatchObject(expected);
    expect(readFileSync(path('.dockerignore'))).toEqual(Buffer.from([0xff, 0xfe, 0x61, 0x00]));
  });

  test('upgrade changes nothing when one file cannot be written', async () => {
    await olderProject({
      '.gitignore': (content) => `# old\n${content}`,
      'tsconfig.json': (content) => content.replace('ES2023', 'ES2022'),
    });
    rmSync(path('tsconfig.json'));
    mkdirSync(path('tsconfig.json'));
    const before = read('.gitignore');
    expect(await upgrade()).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('tsconfig.json is a folder'),
    });
    expect(read('.gitignore')).toBe(before);
  });

  test('upgrade refuses a project with uncommitted changes unless --force or --dry-run is given', async () => {
    await olderProject({ 'tsconfig.json': (content) => content.replace('ES2023', 'ES2022') });
    git('init');
    project.write({ '.gitignore': 'node_modules\n' });
    git('add', '.');
    git('commit', '-m', 'first');
    project.write({ 'README.md': 'mine\n', 'new file': '' });
    expect(await upgrade()).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /^error: 2 files with uncommitted changes: README\.md, new file\n {2}hint: .*--force/,
      ),
    });
    expect(read('tsconfig.json')).toContain('ES2022"');
    expect((await upgrade('--dry-run')).exitCode).toBe(0);
    expect((await upgrade('--force')).exitCode).toBe(0);
    git('add', '.');
    git('commit', '-m', 'second');
    expect((await upgrade()).exitCode).toBe(0);
  });

  test('upgrade of a project without a record starts from the record of --base', async () => {
    await run('init', 'other/project', '--no-install');
    project.write({ 'package.json': '{}' });
    expect(await upgrade()).toMatchObject({
      exitCode: 78,
      stderr: expect.stringMatching(
        /scaffold\.json not found: .*\n {2}hint: restore [^]*npx kindwright upgrade --base /,
      ),
    });
    const file = `other/project/${RECORD}`;
    project.write({
      [file]: read(file).replace(/node_modules\\n\.git\\n[^"]*/, 'node_modules\\n'),
      '.dockerignore': 'node_modules\n',
    });
    const { exitCode, stdout } = await upgrade('--base', 'other/project');
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^updated {4}\.dockerignore$/m),
    });
    expect(read('.dockerignore')).toMatch(/^node_modules\n\.git\n\.env\*\n/);
    expect(existsSync(path(RECORD))).toBe(true);
    expect(existsSync(path('Dockerfile'))).toBe(false);
  });

  test('upgrade rejects a damaged record, and a project with the scaffold of a newer version', async () => {
    project.write({ [RECORD]: '{' });
    expect(await upgrade()).toMatchObject({ exitCode: 78, stderr: expect.stringContaining('is damaged') });
    await run('init', 'new', '--no-install');
    const newer = read(`new/${RECORD}`).replace(/"version": "\d[^"]*"/, '"version": "99.0.0"');
    project.write({ [RECORD]: newer });
    expect(await upgrade()).toMatchObject({
      exitCode: 78,
      stderr: expect.stringMatching(/has the scaffold of kindwright 99\.0\.0, which is newer than this version, /),
    });
    expect(read(RECORD)).toBe(newer);
  });

  test('create kind and create webhook add to the record, so that their files are upgraded too', async () => {
    await run('init', '.', '--no-install');
    await run('create', 'kind', 'apps.example.com/v1', 'Memcached');
    await run('create', 'kind', 'apps.example.com/v2', 'Memcached');
    await run('create', 'webhook', 'Memcached', '--validate');
    expect(record().steps.map(({ step }) => step)).toMatchObject([
      { command: 'init' },
      { command: 'create kind', kind: { kind: 'Memcached', version: 'v1' } },
      { command: 'create version', kind: { kind: 'Memcached', version: 'v2' } },
      { command: 'create webhook', file: 'operators/memcached.ts', mutate: false, validate: true },
    ]);
    for (const [file, content] of Object.entries(record().files)) expect(content).toBe(read(file));
    outdate({
      'operators/memcached.ts': (content) => content.replace('at most 40', 'fewer than 41'),
      'operators/memcached-v2.ts': (content) => content.replace('Number of pods', 'Count of pods'),
      'test/memcached-webhooks.test.ts': (content) => content.replace('refuses', 'rejects'),
    });
    project.write({ 'operators/memcached.ts': `// mine\n${read('operators/memcached.ts')}` });
    const { stdout } = await upgrade();
    expect(stdout.match(/^\w+ +[\w./-]+$/gm)).toEqual([
      ...['updated    operators/memcached-v2.ts', 'merged     operators/memcached.ts'],
      'updated    test/memcached-webhooks.test.ts',
    ]);
    expect(read('operators/memcached.ts')).toMatch(/^\/\/ mine\n[^]*at most 40/);
  });
});
