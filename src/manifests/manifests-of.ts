import type { CustomResourceDefinition } from '../api/kinds/kinds.js';
import { displayPath } from '../base/display-path.js';
import { buildResourceModels } from '../resource/build-models.js';
import { classDocs } from '../resource/doc-comments.js';
import { byKind } from '../resource/kinds/versions.js';
import type { ResourceClass } from '../resource/model.js';
import type { ManifestOptions } from './operator.js';
import type { GeneratedFile } from './output/generated-file.js';

/**
 * Returns the CustomResourceDefinitions of classes, one for each kind: classes that are versions of one kind share it.
 *
 * @throws ModelError with the errors of the classes.
 */
export async function customResourceDefinitionsOf(
  classes: readonly ResourceClass[],
): Promise<CustomResourceDefinition[]> {
  const { customResourceDefinition } = await import('./crd/crd.js');
  return byKind(buildResourceModels(classes)).map((versions) => customResourceDefinition(...versions));
}

/**
 * Returns the files that `generate-manifests` writes for classes: definitions, roles, the Deployment, samples.
 *
 * The classes of one source file are one operator; classes whose source is unknown, as in JavaScript, one each.
 *
 * @throws ModelError with the errors of the classes, and with what the API server would reject.
 */
export async function manifestsOf(
  classes: readonly ResourceClass[],
  options: ManifestOptions = {},
): Promise<GeneratedFile[]> {
  const { generateManifests } = await import('./generate.js');
  const sources = buildResourceModels(classes).map((model) => {
    const { file = `${model.className.toLowerCase()}.js` } = classDocs(model.target)?.source ?? {};
    return { model, sourceFile: displayPath(file) };
  });
  return generateManifests(sources, options);
}
