import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { Manager } from 'kindwright';
import { eventually, RecordingLogger, startCluster, type Cluster } from 'kindwright/testing';
import { KIND_REF } from '../../src/api/kinds/kind-ref.js';
import type { KubeObject } from '../../src/api/objects/kube-object.js';
import type { Run } from '../../src/api/reconcile/reconcile-observer.js';
import { generateManifests } from '../../src/manifests/generate.js';
import { sampleObjects } from '../../src/manifests/samples.js';
import { isRun } from '../../src/resource/is-run.js';
import { isObjectController } from '../../src/resource/kinds/controller-class.js';
import type { ResourceClass, ResourceModel } from '../../src/resource/model.js';
import { documentedModels } from '../manifests/operator-models.js';
import { testOf } from './block-tests.js';
import { blocksOf, type DocBlock, isModule, PAGES } from './doc-files.js';

const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(root, 'test', 'docs', 'blocks-'));
mkdirSync(join(folder, 'operators'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const ofClasses = PAGES.flatMap(blocksOf).filter(
  (block) =>
    isModule(block) &&
    !block.page.startsWith('docs/tutorial/') &&
    /^@(?:Kind|Controller)\(/m.test(block.code) &&
    !/from '(?:\.|vitest|@jest)/.test(block.code),
);
const testPath = relative(root, import.meta.filename);
const named = (blocks: readonly DocBlock[]) =>
  blocks.map((block) => ({ ...block, place: `${block.page}:${block.line}` }));

/** The models of the classes of a block, exported or not. */
async function modelsOf({ page, line, code }: DocBlock): Promise<ResourceModel[]> {
  const file = join(folder, 'operators', `${basename(page, '.md')}-${String(line)}.ts`);
  const hidden = classNames(code).filter(
    (each) => !new RegExp(`^export (?:abstract )?class ${each}\\b`, 'm').test(code),
  );
  writeFileSync(file, hidden.length > 0 ? `${code}\nexport { ${hidden.join(', ')} };\n` : code);
  const exported = Object.values((await import(file)) as Record<string, unknown>);
  return documentedModels(file, exported.filter(isResourceClass));
}

/** The names of the classes of an example that are kinds or controllers. */
function classNames(code: string): string[] {
  const parts = code.split(/^(?=@(?:Kind|Controller)\()/m).slice(1);
  return parts.flatMap((part) => /^(?:export )?(?:abstract )?class (\w+)/m.exec(part)?.[1] ?? []);
}

function isResourceClass(value: unknown): value is ResourceClass {
  return typeof value === 'function' && (Object.hasOwn(value, KIND_REF) || isObjectController(value as ResourceClass));
}

test.each(named(ofClasses))('the classes of $place generate manifests without warnings', async (block) => {
  const models = await modelsOf(block);
  expect(models.length).toBeGreaterThan(0);
  const warnings: string[] = [];
  const warn = (warning: string): void => void warnings.push(warning);
  const files = generateManifests(
    models.map((model) => ({ model, sourceFile: 'operators/example.ts' })),
    { warn },
  );
  expect(files.length).toBeGreaterThan(models.some(isRun) ? 1 : 0);
  expect(warnings).toEqual([]);
});

describe('operators of the docs that have no test of their own', () => {
  test.each(named(ofClasses.filter((block) => block.reason === undefined && testOf(block) === testPath)))(
    'the operator of $place reconciles an object without errors and warnings',
    async (block) => {
      const models = await modelsOf(block);
      // External systems of examples.
      const fetching = jest.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(new Response()));
      await using cluster = await startCluster({ server: 'embedded' });
      await defineOthers(cluster, models);
      const own = models.filter(({ definesKind }) => definesKind);
      if (own.length > 0) await cluster.install(...own.map(({ target }) => target));
      const logger = new RecordingLogger();
      const ended: Run[] = [];
      const manager = new Manager({
        client: cluster.client,
        logger,
        observer: { ended: (run) => ended.push(run) },
        webhooks: { register: cluster.client },
      });
      const run = models.filter(isRun);
      for (const { target } of run) manager.add(target);
      const stopping = new AbortController();
      const running = manager.run(stopping.signal);
      try {
        for (const model of run) await cluster.apply([objectOf(model)]);
        await eventually(() => {
          const succeeded = ended.filter(({ end }) => end && ['done', 'requeueAfter'].includes(end.outcome));
          const reconciled = new Set(succeeded.map(({ controller }) => controller));
          if (reconciled.size < run.length) throw new Error(logger.toString());
        });
      } finally {
        stopping.abort(new Error('the test has ended'));
        await running;
        fetching.mockRestore();
      }
      expect([...logger.messages('error'), ...logger.messages('warn')]).toEqual([]);
    },
  );
});

/** Installs the kinds that other projects define. */
async function defineOthers(cluster: Cluster, models: readonly ResourceModel[]): Promise<void> {
  const foreign = models.filter(({ definesKind, kind }) => !definesKind && !isBuiltIn(kind.group));
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  for (const { kind } of foreign) {
    const { group, version, plural, scope } = kind;
    const names = { plural, kind: kind.kind, singular: kind.kind.toLowerCase() };
    const spec = { group, scope, names, versions: [{ name: version, served: true, storage: true, schema }] };
    const metadata = { name: `${plural}.${group}` };
    await cluster.apply([{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata, spec }]);
  }
}

function isBuiltIn(group: string): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io');
}

/** The sample of a class, otherwise a minimal object. */
function objectOf(model: ResourceModel): KubeObject {
  const { group, version, kind } = model.kind;
  const [sample] = sampleObjects(model);
  return sample ?? { apiVersion: group === '' ? version : `${group}/${version}`, kind, metadata: { name: 'example' } };
}
