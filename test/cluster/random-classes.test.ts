import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CustomResourceDefinition } from '../../src/api/kinds/kinds.js';
import { parseYaml } from '../../src/base/yaml.js';
import { ApiError } from '../../src/client/api-error.js';
import { Client } from '../../src/client/client.js';
import { loadClusterConfig } from '../../src/client/cluster-config.js';
import { generateManifests } from '../../src/manifests/generate.js';
import { ModelError } from '../../src/resource/model-error.js';
import { buildResourceModels } from '../../src/resource/build-models.js';
import type { ResourceClass } from '../../src/resource/model.js';
import { startControlPlane, type RunningControlPlane } from '../controlplane/start-control-plane.js';
import { RandomKinds } from '../random-classes/random-kinds.js';
import { usedVocabulary } from '../random-classes/used-vocabulary.js';
import { wholeVocabulary } from '../random-classes/whole-vocabulary.js';

const COUNT = Number(process.env['RANDOM_CLASSES'] ?? 2000);
const SEED = Number(process.env['RANDOM_SEED'] ?? 20_261);
const AT_ONCE = 8;

type Crd = Parameters<Client['create']>[1] & { metadata: { name: string } };

/** The definitions that the generator writes for classes; undefined if it rejects them with a reason. */
function crdOf(targets: readonly ResourceClass[]): Crd | undefined {
  try {
    const sources = buildResourceModels(targets).map((model) => ({ model, sourceFile: 'random.ts' }));
    const file = generateManifests(sources).find(({ path }) => path.startsWith('random.example.com'));
    return parseYaml(file?.content ?? '', 'random.yaml') as Crd;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    expect(error.diagnostics.length).toBeGreaterThan(0);
    return undefined;
  }
}

describe(`${COUNT} random kinds`, () => {
  let cluster: RunningControlPlane;
  let client: Client;
  beforeAll(async () => {
    cluster = await startControlPlane({ parts: ['etcd', 'apiserver'] });
    client = new Client(await loadClusterConfig({ kubeconfig: cluster.kubeconfig }));
  });
  afterAll(async () => {
    client.close();
    await cluster.stop();
  });

  /** The error of the server for a definition. */
  async function refusal(crd: Crd): Promise<string | undefined> {
    try {
      await client.create(CustomResourceDefinition, crd, { dryRun: true });
      return undefined;
    } catch (error) {
      if (error instanceof ApiError) return error.message;
      throw error;
    }
  }

  test(
    'each random kind is rejected by the generator with a reason, or accepted by the API server',
    async () => {
      const kinds = new RandomKinds(SEED);
      const accepted: Crd[] = [];
      const used = new Set<string>();
      for (let index = 0; index < COUNT; index++) {
        const classes = kinds.kind(index);
        const crd = crdOf(classes);
        if (!crd) continue;
        accepted.push(crd);
        for (const word of classes.flatMap((target) => [...usedVocabulary(target)])) used.add(word);
      }
      const refusals: string[] = [];
      const queue = accepted.values();
      const worker = async (): Promise<void> => {
        for (const crd of queue) {
          const message = await refusal(crd);
          if (message !== undefined) refusals.push(message);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      process.stdout.write(`${accepted.length} of ${COUNT} random kinds make a definition\n`);
      expect(refusals).toEqual([]);
      expect(wholeVocabulary().filter((word) => !used.has(word))).toEqual([]);
      expect(accepted.length / COUNT).toBeGreaterThanOrEqual(0.6);
    },
    Math.max(600_000, COUNT * 300),
  );
});
