import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, startCluster, type Cluster } from 'kindwright/testing';
import { findBinaries } from '../../controlplane/binaries.js';
import { blocksOf } from '../../docs/doc-files.js';
import { ShellSession } from '../../docs/shell-session.js';
import { limitTests } from '../../time-limits.js';

limitTests(180_000);

const root = join(import.meta.dirname, '..', '..', '..');
const PAGE = 'docs/following-the-articles.md';
const [, ...sections] = readFileSync(join(root, PAGE), 'utf8').split(/^## /m);
const articles = sections.map((section) => ({ title: section.split('\n', 1)[0] ?? '', rows: rowsOf(section) }));
const pod = blocksOf(PAGE).find(({ language }) => language === 'yaml')?.code ?? '';

/** The cells of the column "here": commands in the first table, lines of the log in the second. */
function rowsOf(section: string): { readonly commands: readonly string[]; readonly log: readonly string[] } {
  const [commands = [], log = []] = section
    .split(/\n(?=\| )/)
    .map((line) => line.split('|')[2] ?? '')
    .reduce<string[][]>((tables, cell) => {
      if (/^ (?:log )?here /.test(cell)) return [...tables, []];
      if (!cell.startsWith(' -')) tables.at(-1)?.push(cell);
      return tables;
    }, []);
  return { commands, log };
}

const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
const isCommand = (text: string) => /^(?:npx|npm run|kubectl) /.test(text);

describe.each(articles)('the article on $title', ({ rows: { commands, log } }) => {
  let cluster: Cluster;
  let session: ShellSession;
  beforeAll(async () => {
    cluster = await startCluster({ server: 'embedded', nodes: 2 });
    const { kubectl } = await findBinaries();
    session = new ShellSession(cluster.kubeconfig, kubectl, { 'pod.yaml': pod });
    session.addProgram('docker', 'echo docker "$@"');
  });
  afterAll(async () => {
    await session.end();
    await cluster.stop();
  });

  test('its commands succeed in their order', async () => {
    expect(commands.length).toBeGreaterThan(10);
    for (const cell of commands) {
      for (const [, file = ''] of cell.matchAll(/\[(operators\/[\w-]+\.ts)\]/g))
        session.project.write({ [file]: readFileSync(join(root, file), 'utf8') });
      for (const line of quoted(cell).filter(isCommand)) {
        // In a folder that is not empty, and without the registry.
        const { exitCode, stdout, stderr } = await session.run(
          line.replace('kindwright init', 'kindwright init --no-install --force'),
        );
        if (exitCode !== 0) throw new Error(`${line} exits with ${String(exitCode)}:\n${stdout}${stderr}`);
      }
    }
  });

  test('its operator has logged the lines', async () => {
    const lines = log.flatMap(quoted);
    expect(lines.length).toBeGreaterThan(0);
    await eventually(() => {
      for (const line of lines) expect(session.printed).toContain(line);
    });
  });
});
