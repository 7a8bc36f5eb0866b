import { objectAt, stringAt, type ApiObject } from '../object.js';
import { ensureObject, setDefaults } from './set-default.js';

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
}
