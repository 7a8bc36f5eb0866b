import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { startCluster, type Cluster } from 'kindwright/testing';
import { findBinaries } from '../../controlplane/binaries.js';
import { testOf } from '../../docs/block-tests.js';
import { blocksOf, type DocBlock, moduleWith, PAGES } from '../../docs/doc-files.js';
import { ShellSession } from '../../docs/shell-session.js';
import { limitTests } from '../../time-limits.js';

limitTests(180_000);

const root = join(import.meta.dirname, '..', '..', '..');
const testPath = relative(root, import.meta.filename);

/** What a reader has done before the first block of a page. */
const PREPARED: Readonly<Record<string, readonly string[]>> = {
  'README.md': ['generate-manifests', 'kindwright demo'],
  'docs/permissions.md': ['kindwright install'],
  'docs/webhooks.md': ['kubectl apply -f configuration.yaml'],
};

/** A webhook that a release removes. */
const CONFIGURATION = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: podset-validating-webhook-configuration }
webhooks:
  - name: validate.podsets.apps.example.com
    admissionReviewVersions: [v1]
    sideEffects: None
    clientConfig: { url: https://127.0.0.1:1/ }
    rules: [{ apiGroups: [apps.example.com], apiVersions: ['*'], resources: [podsets], operations: [CREATE] }]
`;

const operators = globSync('operators/*.ts', { cwd: root }).map((path) => [
  path,
  readFileSync(join(root, path), 'utf8'),
]);
const pages = PAGES.map((page) => ({
  page,
  blocks: blocksOf(page).filter((block) => block.reason === undefined && testOf(block) === testPath),
})).filter(({ blocks }) => blocks.length > 0);

describe.each(pages)('the commands of $page', ({ page, blocks }) => {
  let cluster: Cluster;
  let session: ShellSession;
  beforeAll(async () => {
    cluster = await startCluster({ server: 'embedded' });
    const { kubectl } = await findBinaries();
    const podset = { 'operators/podset.ts': moduleWith('README.md', 'class PodSetSpec') };
    const files = page === 'README.md' ? (Object.fromEntries(operators) as Record<string, string>) : podset;
    session = new ShellSession(cluster.kubeconfig, kubectl, { ...files, 'configuration.yaml': CONFIGURATION });
    for (const line of PREPARED[page] ?? []) expect(await session.run(line)).toMatchObject({ exitCode: 0 });
  });
  afterAll(async () => {
    await session.end();
    await cluster.stop();
  });

  test.each(blocks.map((block) => ({ ...block, name: `${basename(page)}:${block.line}` })))(
    'the commands of $name succeed and print the documented output',
    async (block) => {
      for (const { line, output } of commandsOf(block)) {
        const { exitCode, stdout, stderr } = await session.run(line);
        const expected = /# .*exits with 1/.test(line) || output?.includes('error: ') ? [0, 1, 78] : [0];
        if (!expected.includes(exitCode))
          throw new Error(`${line} exits with ${String(exitCode)}:\n${stdout}${stderr}`);
        if (output !== undefined) expect(`${stdout}${stderr}`).toMatch(patternOf(output));
      }
    },
  );
});

interface DocumentedCommand {
  readonly line: string;
  /** Of `console` blocks; `…` stands for anything. */
  readonly output?: string;
}

function commandsOf({ language, code }: DocBlock): DocumentedCommand[] {
  if (language === 'sh')
    return code
      .replaceAll(/(?:\\|(\|))\n\s*/g, '$1 ')
      .trim()
      .split('\n')
      .map((line) => ({ line }));
  return code
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [line = '', ...output] = part.split('\n');
      return { line, output: output.join('\n').trim() };
    });
}

function patternOf(output: string): RegExp {
  const escaped = output.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(escaped.join('[^]*'));
}
