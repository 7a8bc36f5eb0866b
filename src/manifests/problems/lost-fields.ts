import type { JsonSchema } from '../../api/schema/json-schema.js';
import { hasConversion } from '../../resource/conversion/kind-conversion-of.js';
import { located } from '../../resource/location.js';
import { kindLocation } from '../../resource/kinds/kind-location.js';
import { storedVersion } from '../../resource/kinds/versions.js';
import type { ResourceModel } from '../../resource/model.js';
import { openApiSchema } from '../crd/schema.js';

const MAX_SHOWN = 5;
const HINT = `convert the versions with @ConvertsTo, or set conversion: 'None' in @Kind to accept the loss`;

/**
 * Warnings about fields that objects lose between the versions of a kind that declares no conversion: the API server
 * then changes nothing but the apiVersion, and drops the fields that the schema of the stored version does not have.
 */
export function lostFields(versions: readonly ResourceModel[]): string[] {
  const stored = storedVersion(versions);
  if (!stored || versions.some(({ version, target }) => version.conversion !== undefined || hasConversion(target)))
    return [];
  const storedSchema = openApiSchema(stored);
  return versions.flatMap((model) => {
    if (model === stored || !model.version.served) return [];
    const schema = openApiSchema(model);
    return [
      ...warning(
        model,
        missingFields(schema, storedSchema),
        `are dropped: objects are stored as ${stored.kind.version}`,
      ),
      ...warning(model, missingFields(storedSchema, schema), `are missing, and lost when an object is updated`),
    ];
  });
}

function warning({ target, kind }: ResourceModel, fields: readonly string[], effect: string): string[] {
  if (fields.length === 0) return [];
  const more = fields.length > MAX_SHOWN ? ` and ${fields.length - MAX_SHOWN} more` : '';
  const shown = fields.slice(0, MAX_SHOWN).join(', ') + more;
  return [located(kindLocation(target), `in ${kind.version}, ${shown} ${effect}; ${HINT}`)];
}

/** The outermost fields of a schema that another one prunes. */
function missingFields(from: JsonSchema, to: JsonSchema, path = ''): string[] {
  if (to['x-kubernetes-preserve-unknown-fields'] === true) return [];
  const own = Object.entries(from.properties ?? {}).flatMap(([name, property]) => {
    const other = to.properties?.[name] ?? valuesOf(to);
    return other ? missingFields(property, other, `${path}.${name}`) : [`${path}.${name}`];
  });
  const items = from.items && to.items ? missingFields(from.items, to.items, `${path}[]`) : [];
  const [values, others] = [valuesOf(from), valuesOf(to)];
  return [...own, ...items, ...(values && others ? missingFields(values, others, `${path}.*`) : [])];
}

function valuesOf({ additionalProperties }: JsonSchema): JsonSchema | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
