import type { JsonSchema } from '../../api/json-schema.js';
import { BuiltInClasses } from '../../import-crd/classes/built-in-classes.js';
import type { Vocabulary } from '../../import-crd/import-definition.js';
import { openApiSchema } from '../../manifests/crd/schema.js';
import { CustomResource } from '../../resource/custom-resource.js';
import { Field } from '../../resource/decorators/field.js';
import { Kind } from '../../resource/decorators/kind.js';
import { Condition } from '../../resource/definitions/condition.js';
import { LabelSelector, LabelSelectorRequirement } from '../../resource/definitions/label-selector.js';
import { buildResourceModels } from '../../resource/model.js';
import { definitionClasses } from './definition-classes.js';

/** The classes of the package that fields can have, nested ones first. */
const CLASSES = { Condition, LabelSelectorRequirement, LabelSelector };

/** The package's schemas of fields that many kinds have, read from a kind with all of them. */
export function packageVocabulary(): Vocabulary {
  abstract class Probe extends CustomResource {}
  for (const [name, type] of Object.entries(CLASSES)) Field({ type })(Probe.prototype, name);
  Kind({ group: 'probe.example.com', version: 'v1' })(Probe);
  const { properties = {} } = probed(Probe);
  const { apiVersion = {}, kind = {}, metadata = {}, ...schemas } = properties;
  return {
    builtIns: new BuiltInClasses([
      ...Object.entries(schemas).map(([name, schema]) => ({ name, schema, from: 'kindwright' as const })),
      ...definitionClasses(),
    ]),
    commonFields: { apiVersion, kind, metadata },
  };
}

function probed(probe: abstract new () => CustomResource): JsonSchema {
  const [model] = buildResourceModels([probe]);
  return model ? openApiSchema(model) : {};
}
