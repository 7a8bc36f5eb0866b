import { setTimeout } from 'node:timers/promises';
import { whenAnswered } from '../../remote/remote-calls.js';
import { invalidValue, notSupported, type FieldError } from '../../../api/protocol/field-error.js';
import { badRequest, invalid } from '../../errors/status-error.js';
import { stringAt, textOf, type JsonObject } from '../../objects/api-object.js';
import type { Removal, Remover } from '../../registry/remover.js';
import type { DeleteOptions } from '../../registry/write-options.js';
import type { Resource } from '../../resources/resource.js';
import type { StoredObject } from '../../storage/stored-object.js';
import { DecodeReport, TypeMismatch } from '../../schema/decode-report.js';
import { decodeGo } from '../../schema/go-codec.js';
import { decodeProtobuf } from '../../schema/protobuf.js';
import { isProtobuf, readBody, type ApiRequest, type RequestBody } from '../../transport/request/api-request.js';
import { bodyValue, UnreadableBody } from '../../transport/response/body-value.js';
import { json, type Outcome } from '../../transport/response/outcome.js';
import { decorate } from '../read/decorate.js';
import { list, selectionOf } from '../read/list.js';
import { parseInt64, isSet, listQuery } from '../request/query-options.js';
import { namespaceOf } from '../request/request-namespace.js';

const OPTIONS_KIND = 'DeleteOptions';
const RETURNS_OBJECT = new Set([
  'namespaces',
  'persistentvolumes',
  'persistentvolumeclaims',
  'pods',
  'podtemplates',
  'resourcequotas',
  'services',
  'serviceaccounts',
  'deviceclasses.resource.k8s.io',
  'resourceclaims.resource.k8s.io',
  'resourceclaimtemplates.resource.k8s.io',
  'resourceslices.resource.k8s.io',
  'csidrivers.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'storageclasses.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
  'volumeattributesclasses.storage.k8s.io',
]);

/**
 * Time between the end of the grace period and the deletion of the object: the real server needs it for two writes.
 * Controllers depend on it to see deleted pods where no kubelet runs.
 */
const SHOWN_MS = 10;

/** DELETE of an object. */
export async function remove(remover: Remover, resource: Resource, request: ApiRequest): Promise<Outcome> {
  const options = await deleteOptions(request);
  request.warnings.push(...propagationWarnings(resource, options));
  const { name, namespace } = request.info;
  const place = namespaceOf(resource, namespace);
  const removal = await removeOne(remover, resource, name, place, options, { ...request, isInSteps: true });
  const { isGone, isIncomplete } = removal;
  if (isIncomplete === true) await setTimeout(SHOWN_MS);
  const object = isIncomplete === true ? remover.complete(resource, removal.object) : removal.object;
  const code = !isGone && options.orphanDependents === false ? 202 : 200;
  // An object that is only marked is returned as it is stored.
  if (!isGone) return { type: 'object', code, resource, stored: object };
  if (RETURNS_OBJECT.has(resource.storage))
    return { type: 'object', code, resource, stored: decorate(resource, object) };
  return json(code, deletedStatus(resource, object));
}

function propagationWarnings({ strategy }: Resource, options: DeleteOptions): string[] {
  const isSaid = options.propagationPolicy !== undefined || options.orphanDependents !== undefined;
  return isSaid || strategy.propagationWarning === undefined ? [] : [strategy.propagationWarning];
}

function deletedStatus({ group, plural }: Resource, { object }: StoredObject): JsonObject {
  const { name, uid } = object.metadata;
  const details = { name, ...(group !== '' && { group }), kind: plural, uid };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}

/** DELETE of a collection: every object the selectors match. */
export async function removeCollection(
  remover: Remover,
  registry: Parameters<typeof list>[0],
  resource: Resource,
  request: ApiRequest,
): Promise<Outcome> {
  const query = listQuery(request);
  const options = await deleteOptions(request);
  request.warnings.push(...propagationWarnings(resource, options));
  const outcome = await list(registry, resource, selectionOf(resource, request.info.namespace, query), query);
  if (outcome.type !== 'list') return outcome;
  for (const { object } of outcome.items) {
    await removeOne(remover, resource, object.metadata.name, object.metadata.namespace, options, {
      ...request,
      isOfCollection: true,
    });
  }
  return outcome;
}

function removeOne(
  remover: Remover,
  resource: Resource,
  name: string,
  namespace: string | undefined,
  deletion: DeleteOptions,
  request: ApiRequest & { isInSteps?: boolean; isOfCollection?: boolean },
): Promise<Removal> {
  const { user, warnings, annotations, isInSteps = false, isOfCollection = false } = request;
  const { dryRun, ...rest } = deletion;
  const options = {
    ...rest,
    kind: OPTIONS_KIND,
    apiVersion: 'meta.k8s.io/v1',
    ...(dryRun === true && { dryRun: ['All'] }),
  };
  return whenAnswered((calls) =>
    remover.remove(resource, name, namespace, deletion, user, {
      calls,
      warnings,
      annotations,
      options,
      isInSteps,
      isOfCollection,
    }),
  );
}

async function deleteOptions(request: ApiRequest): Promise<DeleteOptions> {
  const body = await readBody(request.message);
  const { query } = request;
  const options = body.bytes.length === 0 ? optionsIn(query) : readOptions(body);
  const errors = optionErrors(options);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: OPTIONS_KIND }, '', errors);
  const isDryRun = Array.isArray(options.dryRun) && options.dryRun.length > 0;
  return { ...(options as DeleteOptions), dryRun: isDryRun };
}

/** Reads delete options from the query; used only for requests without a body. */
function optionsIn(query: URLSearchParams): JsonObject {
  const grace = query.get('gracePeriodSeconds');
  const [uid, resourceVersion] = [query.get('uid') ?? '', query.get('resourceVersion') ?? ''];
  const preconditions = { ...(uid !== '' && { uid }), ...(resourceVersion !== '' && { resourceVersion }) };
  return {
    ...(uid + resourceVersion !== '' && { preconditions }),
    ...(grace !== null && { gracePeriodSeconds: parseInt64(grace) }),
    ...(query.has('propagationPolicy') && { propagationPolicy: query.get('propagationPolicy') }),
    ...(query.has('orphanDependents') && { orphanDependents: isSet(query, 'orphanDependents') }),
    ...(query.has('dryRun') && { dryRun: query.getAll('dryRun') }),
  };
}

function readOptions(body: RequestBody): JsonObject {
  if (isProtobuf(body)) return decodeProtobuf(body.bytes, () => 'meta/v1.DeleteOptions');
  const value = readableOptions(body);
  const kind = stringAt(value, 'kind');
  if (kind === '' || kind === OPTIONS_KIND) return typedOptions(value);
  throw badRequest(
    `no kind "${kind}" is registered for version "${stringAt(value, 'apiVersion')}" in scheme "pkg/runtime/scheme.go:111"`,
  );
}

function readableOptions(body: RequestBody): JsonObject {
  try {
    return bodyValue(body);
  } catch (error) {
    throw error instanceof UnreadableBody ? badRequest(error.message) : error;
  }
}

function typedOptions(value: JsonObject): JsonObject {
  try {
    return decodeGo('meta/v1.DeleteOptions', value, new DecodeReport());
  } catch (error) {
    throw error instanceof TypeMismatch ? badRequest(error.message) : error;
  }
}

function optionErrors({ propagationPolicy, orphanDependents, dryRun }: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    errors.push(
      invalidValue(
        'propagationPolicy',
        propagationPolicy,
        'orphanDependents and deletionPropagation cannot be both set',
      ),
    );
  } else if (
    propagationPolicy !== undefined &&
    !['Foreground', 'Background', 'Orphan'].includes(textOf(propagationPolicy))
  ) {
    errors.push(notSupported('propagationPolicy', propagationPolicy, ['Foreground', 'Background', 'Orphan', 'nil']));
  }
  if (Array.isArray(dryRun) && dryRun.some((value) => value !== 'All'))
    errors.push(notSupported('dryRun', dryRun, ['All']));
  return errors;
}
