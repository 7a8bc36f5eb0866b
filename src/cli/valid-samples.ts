import { sampleObjects } from '../manifests/samples.js';
import { Diagnostics } from '../resource/diagnostics.js';
import type { ResourceModel } from '../resource/model.js';
import { Validator } from '../validation/validator.js';

/**
 * Validates the objects of `@Sample` as the API server does, rules in CEL included.
 *
 * @throws ModelError listing every cause for which the server would reject one.
 */
export async function assertValidSamples(resources: readonly { readonly model: ResourceModel }[]): Promise<void> {
  const diagnostics = new Diagnostics();
  for (const { model } of resources) if (model.samples.length > 0) await collectCauses(model, diagnostics);
  diagnostics.throwIfAny();
}

async function collectCauses(model: ResourceModel, diagnostics: Diagnostics): Promise<void> {
  const { target } = model;
  const validator = await Validator.load(model);
  for (const [index, object] of sampleObjects(model).entries())
    for (const { field, message } of validator.causes(object, undefined))
      diagnostics.add(
        { target, decorator: { target, name: 'Sample', index } },
        `@Sample '${object.metadata.name}': ${field}: ${message}`,
        'change the sample, or the rule that rejects it',
      );
}
