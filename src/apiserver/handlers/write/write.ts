import { whenAnswered } from '../../remote/remote-calls.js';
import type { ApiObject } from '../../objects/api-object.js';
import { withoutRepeatedOwners } from '../../registry/owner-references.js';
import type { Registry } from '../../registry/registry.js';
import type { Resource } from '../../resources/resource.js';
import { readBody, type ApiRequest } from '../../transport/request/api-request.js';
import type { Outcome } from '../../transport/response/outcome.js';
import { decodeBody } from '../request/decode-body.js';
import { assertName, namespaceOf, placeInNamespace } from '../request/request-namespace.js';
import { writeQuery } from '../request/query-options.js';

/** POST of a collection. */
export async function create(registry: Registry, resource: Resource, request: ApiRequest): Promise<Outcome> {
  const body = await readBody(request.message);
  const query = writeQuery(request, 'CreateOptions');
  const stored = await whenAnswered((calls) => {
    const object = decodeBody(resource, body, query.fieldValidation, request.warnings);
    placeInNamespace(resource, object, request.info.namespace);
    object.metadata = withoutRepeatedOwners(object.metadata, request.warnings);
    return registry.create(resource, object, { ...query, calls });
  });
  return { type: 'object', code: 201, resource, stored };
}

/** PUT of an object or its subresource. */
export async function update(registry: Registry, resource: Resource, request: ApiRequest): Promise<Outcome> {
  const body = await readBody(request.message);
  const query = writeQuery(request, 'UpdateOptions');
  const { name, namespace, subresource } = request.info;
  const mayCreate = resource.strategy.allowsCreateOnUpdate === true;
  return whenAnswered((calls) => {
    const object = decodeBody(resource, body, query.fieldValidation, request.warnings);
    placeInNamespace(resource, object, namespace);
    assertName(object, name);
    object.metadata = withoutRepeatedOwners(object.metadata, request.warnings);
    let code = 200;
    const createIt = (): ApiObject => {
      request.checkCreate();
      code = 201;
      return object;
    };
    const options = { ...query, calls, subresource, isReplacement: true, create: mayCreate ? createIt : undefined };
    const stored = registry.update(resource, name, namespaceOf(resource, namespace), () => object, options);
    return { type: 'object', code, resource, stored };
  });
}
