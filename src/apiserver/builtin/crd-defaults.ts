import { type ApiObject, type JsonObject, arrayAt, eachObject, objectAt, stringAt } from '../objects/api-object.js';
import { ensureObject, setDefaults } from '../objects/set-defaults.js';

/** Fills in a CustomResourceDefinition as apiextensions/v1 does. */
export function defaultCustomResourceDefinition(object: ApiObject): void {
  const spec = ensureObject(object, 'spec');
  const names = ensureObject(spec, 'names');
  const kind = stringAt(names, 'kind');
  if (stringAt(names, 'singular') === '') names.singular = kind.toLowerCase();
  if (stringAt(names, 'listKind') === '' && kind !== '') names.listKind = `${kind}List`;
  setDefaults(ensureObject(spec, 'conversion'), { strategy: 'None' });
  const { service } = objectAt(objectAt(objectAt(spec, 'conversion'), 'webhook'), 'clientConfig');
  if (typeof service === 'object' && service !== null) setDefaults(service as Record<string, unknown>, { port: 443 });
  defaultStoredVersions(object, spec);
}

/** Until it is told otherwise, a definition is stored in the version that it says. */
function defaultStoredVersions(object: ApiObject, spec: JsonObject): void {
  const storage = eachObject(spec.versions).find((version) => version.storage === true);
  if (!storage || arrayAt(object.status, 'storedVersions').length > 0) return;
  object.status = { ...objectAt(object, 'status'), storedVersions: [stringAt(storage, 'name')] };
}
