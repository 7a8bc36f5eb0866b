import type { KubeObject } from '../api/objects/kube-object.js';
import { AlreadyExistsError } from '../client/api-error.js';
import type { Client } from '../client/client.js';
import { sampleObjects } from '../manifests/samples.js';
import type { ResourceModel } from '../resource/model.js';

/** Creates the samples of classes that do not exist yet. */
export async function createSamples(
  client: Client,
  models: readonly ResourceModel[],
  signal: AbortSignal,
): Promise<void> {
  const created = models
    .filter(hasSamples)
    .flatMap((model) => sampleObjects(model).map((sample) => create(client, model, sample, signal)));
  await Promise.all(created);
}

async function create(client: Client, model: ResourceModel, sample: KubeObject, signal: AbortSignal): Promise<void> {
  try {
    await client.create(model.kind, withNamespace(model, sample), { signal });
  } catch (error) {
    if (!(error instanceof AlreadyExistsError)) throw error;
  }
}

/** A version without `reconcile` has only the samples that it declares: a minimal one would take the place of the first version's. */
function hasSamples({ isReconciled, samples }: ResourceModel): boolean {
  return isReconciled || samples.length > 0;
}

function withNamespace({ kind }: ResourceModel, sample: KubeObject): KubeObject {
  if (kind.scope === 'Cluster' || sample.metadata.namespace !== undefined) return sample;
  return { ...sample, metadata: { ...sample.metadata, namespace: 'default' } };
}
