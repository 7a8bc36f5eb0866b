import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Groups of suites that run only when one of these files or folders has changed since the group passed. */
export const GROUPS = {
  certificates: [
    'src/cli/deploy',
    'src/manager/webhooks',
    'src/pki',
    'src/resource/webhooks',
    'src/webhook',
    'test/e2e/certificates',
  ],
  conformance: [
    'src/api/protocol/field-error.ts',
    'src/apiserver',
    'src/crd',
    'src/pki',
    'test/conformance',
    'test/controlplane',
    'test/documents',
    'test/e2e/admission/admission-suite.ts',
    'test/e2e/embedded-control-plane.ts',
    'test/e2e/suite-control-plane.ts',
    'test/fidelity',
    'test/go',
  ],
  controlplane: ['test/cluster/controlplane', 'test/controlplane'],
  durability: ['src/apiserver/storage', 'test/durability'],
} as const;

export type Group = keyof typeof GROUPS;

/** A hash of the contents for each path of a group. */
type Hashes = Readonly<Record<string, string>>;

/** The record of the groups that passed, with the contents that they passed with. It is committed. */
export class PassedSuites {
  private readonly root: string;
  private readonly file: string;

  constructor(root: string, file = join(root, 'test', 'gate', 'passed-suites.json')) {
    this.root = root;
    this.file = file;
  }

  /** Returns the paths of a group that have changed since it passed: all of them, if that is not recorded. */
  changed(group: Group): string[] {
    const passed = this.read()[group] ?? {};
    return Object.entries(this.contents(group)).flatMap(([path, hash]) => (passed[path] === hash ? [] : [path]));
  }

  /** Records that the group passed with these contents, which were read before its suites started. */
  record(group: Group, contents: Hashes): void {
    const records = { ...this.read(), [group]: contents };
    const sorted = Object.fromEntries(Object.entries(records).sort(([a], [b]) => (a < b ? -1 : 1)));
    writeFileSync(this.file, `${JSON.stringify(sorted, null, 2)}\n`);
  }

  /** @throws Error for a path without files, because its changes would not be noticed. */
  contents(group: Group): Hashes {
    return Object.fromEntries(GROUPS[group].map((path) => [path, this.hash(path)]));
  }

  private hash(path: string): string {
    const files = existsSync(join(this.root, path)) ? this.filesOf(path) : [];
    if (files.length === 0) throw new Error(`${path} does not exist; correct the list in test/gate/passed-suites.ts`);
    const hash = createHash('sha256');
    for (const file of files.sort())
      hash
        .update(`${file}\0`)
        .update(readFileSync(join(this.root, file)))
        .update('\0');
    return hash.digest('hex');
  }

  private filesOf(path: string): string[] {
    if (!statSync(join(this.root, path)).isDirectory()) return [path];
    const found = globSync(`${path}/**/*`, { cwd: this.root, withFileTypes: true });
    return found
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(this.root.length + 1)
          .split(sep)
          .join('/'),
      );
  }

  private read(): Partial<Record<Group, Hashes>> {
    return existsSync(this.file) ? (JSON.parse(readFileSync(this.file, 'utf8')) as Partial<Record<Group, Hashes>>) : {};
  }
}
