import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildVersions, keptVersions, versionLinks } from '../../site/site-versions.js';

describe('the versions of the site', () => {
  let root: string;
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' });

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'versions-'));
    git('init', '--quiet');
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  function release(tag: string, files: Readonly<Record<string, string>>): void {
    mkdirSync(join(root, 'site'), { recursive: true });
    for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
    git('add', '.');
    git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--message', tag);
    git('tag', tag);
  }

  test('are the newest patches of the last three minor versions', () => {
    const tags = ['v0.9.0', 'v1.9.1', 'v1.10.0', 'v1.9.12', 'v1.11.0-beta.1', 'v1.10.3', 'v2.0.0', 'chart-v3.0.0', ''];
    expect([...keptVersions(tags)]).toEqual([
      ['v2.0', 'v2.0.0'],
      ['v1.10', 'v1.10.3'],
      ['v1.9', 'v1.9.12'],
    ]);
  });

  test('are built from their tags to folders of the site, which all list the same versions', () => {
    release('v0.1.0', { 'page.md': 'first' });
    release('v0.2.0', { 'page.md': 'second', 'site/site-versions.ts': '' });
    release('v0.2.1', { 'page.md': 'corrected' });
    release('v0.3.0', { 'page.md': 'third' });
    writeFileSync(join(root, 'page.md'), 'not released');
    const outDir = join(root, 'out');
    const url = 'https://docs.example.com/kindwright/';
    buildVersions({
      root,
      outDir,
      url,
      build: (folder, { SITE_FOLDER = '', SITE_URL = '', SITE_VERSIONS }) => {
        const built = join(folder, 'built');
        mkdirSync(built);
        const links = versionLinks(SITE_VERSIONS, SITE_URL).map(({ text, link }) => `${text} ${link}`);
        const page = readFileSync(join(folder, 'page.md'), 'utf8');
        writeFileSync(join(built, 'page.html'), [SITE_FOLDER, page, ...links].join('\n'));
        return built;
      },
    });
    const links = `main ${url}\nv0.3 ${url}v0.3/\nv0.2 ${url}v0.2/`;
    const read = (path: string): string => readFileSync(join(outDir, path), 'utf8');
    expect(read('page.html')).toBe(`\nnot released\n${links}`);
    expect(read('v0.3/page.html')).toBe(`v0.3/\nthird\n${links}`);
    expect(read('v0.2/page.html')).toBe(`v0.2/\ncorrected\n${links}`);
    expect(JSON.parse(read('versions.json'))).toEqual(['v0.3', 'v0.2']);
    expect(readdirSync(outDir).toSorted()).toEqual(['page.html', 'v0.2', 'v0.3', 'versions.json']);
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  });
});
