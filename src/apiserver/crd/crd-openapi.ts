import { objectAt, stringAt, type ApiObject, type JsonObject } from '../object.js';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** The OpenAPI v3 document of a version of a custom resource, added to what the version already has. */
export function openApiDocument(
  definition: ApiObject,
  version: JsonObject,
  present: JsonObject | undefined,
): JsonObject {
  const spec = objectAt(definition, 'spec');
  const names = objectAt(spec, 'names');
  const [group, kind, name] = [stringAt(spec, 'group'), stringAt(names, 'kind'), stringAt(version, 'name')];
  const schemaName = `${[...group.split('.').reverse(), name].join('.')}.${kind}`;
  const given = objectAt(objectAt(version, 'schema'), 'openAPIV3Schema');
  const schema = {
    ...given,
    properties: {
      ...objectAt(given, 'properties'),
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: {
        description: 'Standard object metadata.',
        type: 'object',
        'x-kubernetes-map-type': 'granular',
        properties: {},
      },
    },
    'x-kubernetes-group-version-kind': [{ group, kind, version: name }],
  };
  const scope = spec.scope === 'Namespaced' ? '/namespaces/{namespace}' : '';
  const path = `/apis/${group}/${name}${scope}/${stringAt(names, 'plural')}`;
  const operation = {
    'x-kubernetes-group-version-kind': { group, kind, version: name },
    responses: { '200': { description: 'OK' } },
  };
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' },
    paths: {
      ...objectAt(present, 'paths'),
      [path]: { get: operation, post: operation },
      [`${path}/{name}`]: { get: operation, put: operation, patch: operation, delete: operation },
    },
    components: {
      schemas: {
        ...objectAt(objectAt(present, 'components'), 'schemas'),
        [schemaName]: schema,
        [META]: { type: 'object' },
      },
    },
  };
}
