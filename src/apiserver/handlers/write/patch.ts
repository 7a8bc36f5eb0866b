import { applyObject } from '../../registry/apply.js';
import { whenAnswered } from '../../remote/remote-calls.js';
import type { ApiObject } from '../../objects/api-object.js';
import type { Registry } from '../../registry/registry.js';
import type { Resource } from '../../resources/resource.js';
import { readBody, type ApiRequest, type RequestBody } from '../../transport/request/api-request.js';
import type { Outcome } from '../../transport/response/outcome.js';
import { parseConfiguration } from '../request/parse-configuration.js';
import { patcherFor } from './patcher.js';
import { assertName, namespaceOf, placeInNamespace } from '../request/request-namespace.js';
import { writeQuery, type WriteQuery } from '../request/query-options.js';

/** PATCH of an object or its subresource. */
export async function patch(registry: Registry, resource: Resource, request: ApiRequest): Promise<Outcome> {
  const body = await readBody(request.message);
  const Patcher = patcherFor(resource, body.contentType);
  const query = writeQuery(request, 'PatchOptions');
  if (!Patcher) return whenAnswered((calls) => apply(registry, resource, request, body, { ...query, calls }));
  const patcher = new Patcher(resource, body, query.fieldValidation, request.warnings);
  const { name, namespace, subresource } = request.info;
  const transform = (old: ApiObject): ApiObject => placed(resource, request, patcher.patch(old));
  const stored = await whenAnswered((calls) =>
    registry.update(resource, name, namespaceOf(resource, namespace), transform, { ...query, calls, subresource }),
  );
  return { type: 'object', code: 200, resource, stored };
}

/** Sets the namespace of a patched object and checks that it is the object named in the request. */
function placed(resource: Resource, { info }: ApiRequest, object: ApiObject): ApiObject {
  placeInNamespace(resource, object, info.namespace);
  assertName(object, info.name);
  return object;
}

function apply(
  registry: Registry,
  resource: Resource,
  request: ApiRequest,
  body: RequestBody,
  query: WriteQuery,
): Outcome {
  const readConfig = () => parseConfiguration(body.bytes.toString(), query.fieldValidation, request.warnings);
  const { name, namespace, subresource } = request.info;
  const target = { name, namespace: namespaceOf(resource, namespace), readConfig };
  const place = (object: ApiObject): ApiObject => placed(resource, request, object);
  const { stored, isNew } = applyObject(
    registry,
    resource,
    { ...target, place },
    {
      ...query,
      subresource,
      checkCreate: request.checkCreate,
    },
  );
  return { type: 'object', code: isNew ? 201 : 200, resource, stored };
}
