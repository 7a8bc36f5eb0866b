import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How many minor versions keep their documentation. */
const KEPT_MINORS = 3;

export interface VersionsOptions {
  /** A clone with the tags of releases. */
  readonly root: string;
  /** Where the site is written. */
  readonly outDir: string;
  /** The address of the site, such as `https://kindwright.github.io/kindwright/`. */
  readonly url: string;
  /** Builds the site of a checked-out commit, and returns its folder. */
  readonly build: (folder: string, env: Readonly<Record<string, string>>) => string;
}

/** Returns the newest tag of each of the last minor versions by its folder: `v1.4` → `v1.4.2`, the newest first. */
export function keptVersions(tags: readonly string[]): Map<string, string> {
  const numbers = (tag: string): number[] => tag.slice(1).split('.').map(Number);
  const releases = tags.filter((tag) => /^v\d+\.\d+\.\d+$/.test(tag));
  const newestFirst = releases.toSorted((a, b) => {
    const [left, right] = [numbers(a), numbers(b)];
    return left.map((part, index) => (right[index] ?? 0) - part).find((difference) => difference !== 0) ?? 0;
  });
  const kept = new Map<string, string>();
  for (const tag of newestFirst) {
    const folder = tag.slice(0, tag.lastIndexOf('.'));
    if (!kept.has(folder) && kept.size < KEPT_MINORS) kept.set(folder, tag);
  }
  return kept;
}

/**
 * Returns the entries of the version switch: the main branch, then the releases in the list.
 *
 * @param list - the file that `buildVersions` writes; only the main branch without it
 * @param url - the address of the site
 */
export function versionLinks(
  list: string | undefined,
  url: string,
): { text: string; link: string; target: string; noIcon: boolean }[] {
  const folders = list === undefined ? [] : (JSON.parse(readFileSync(list, 'utf8')) as readonly string[]);
  const entries = [['main', url], ...folders.map((folder) => [folder, `${url}${folder}/`])];
  return entries.map(([text = '', link = '']) => ({ text, link, target: '_self', noIcon: true }));
}

/**
 * Builds the site of the checked-out commit, and the site of each kept version, from its tag, to a folder in it. All of them
 * list the same versions. A release from before the version switch is left out.
 */
export function buildVersions({ root, outDir, url, build }: VersionsOptions): void {
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  const scratch = mkdtempSync(join(tmpdir(), 'site-versions-'));
  const list = join(scratch, 'versions.json');
  try {
    const checkouts = [...keptVersions(git('tag', '--list', 'v*').split('\n'))]
      .map(([folder, tag]) => ({ folder, tag, path: join(scratch, folder) }))
      .filter(({ tag, path }) => {
        git('worktree', 'add', '--quiet', '--detach', path, tag);
        return existsSync(join(path, 'site', 'site-versions.ts'));
      });
    writeFileSync(list, JSON.stringify(checkouts.map(({ folder }) => folder)));
    cpSync(build(root, { SITE_URL: url, SITE_VERSIONS: list }), outDir, { recursive: true });
    cpSync(list, join(outDir, 'versions.json'));
    for (const { folder, path } of checkouts) {
      const built = build(path, { SITE_URL: url, SITE_FOLDER: `${folder}/`, SITE_VERSIONS: list });
      cpSync(built, join(outDir, folder), { recursive: true });
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    git('worktree', 'prune');
  }
}
