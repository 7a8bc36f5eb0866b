import { invalidValue } from '../../../api/protocol/field-error.js';
import { FieldManager } from '../../apply/field-manager.js';
import { NO_OTHER_VERSIONS } from '../../apply/field-versions.js';
import { DEFAULT_AUDIENCE } from '../../auth/authenticator.js';
import type { ReviewDependencies } from '../reviews.js';
import { boundObject } from '../../auth/bound-object.js';
import { invalid } from '../../errors/status-error.js';
import {
  arrayAt,
  isJsonObject,
  numberAt,
  objectAt,
  type ApiObject,
  type JsonObject,
} from '../../objects/api-object.js';
import { builtinCodec } from '../../builtin/builtin-codec.js';
import type { Resource } from '../../resources/resource.js';
import type { ApiRequest } from '../../transport/request/api-request.js';
import { json, type Outcome } from '../../transport/response/outcome.js';
import { readUnstored } from '../request/read-unstored.js';

const TOKEN_REQUEST = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' } as const;
const codec = builtinCodec({ struct: 'authentication/v1.TokenRequest', ...TOKEN_REQUEST, applyDefaults });
const REQUESTED = { ...TOKEN_REQUEST, version: 'v1', isCustom: false, codec };
const MIN_SECONDS = 600;

function applyDefaults({ spec }: ApiObject): void {
  const fields = spec as JsonObject;
  fields.expirationSeconds ??= 3600;
}

/** POST of serviceaccounts/token. */
export async function requestToken(
  { registry, tokens }: ReviewDependencies,
  resource: Resource,
  request: ApiRequest,
): Promise<Outcome> {
  const { given, query } = await readUnstored(REQUESTED, request);
  const { name, namespace = '' } = request.info;
  const account = registry.get(resource, name, namespace).object;
  codec.applyDefaults(given);
  const { spec } = given;
  const seconds = numberAt(spec, 'expirationSeconds') ?? 0;
  if (seconds < MIN_SECONDS) {
    const error = invalidValue('spec.expirationSeconds', seconds, 'may not specify a duration less than 10 minutes');
    throw invalid({ group: 'authentication.k8s.io', kind: TOKEN_REQUEST.kind }, '', [error]);
  }
  const wanted = arrayAt(spec, 'audiences') as string[];
  const audiences = wanted.length === 0 ? [DEFAULT_AUDIENCE] : wanted;
  const nowMs = registry.clock.now();
  const expires = Math.floor(nowMs / 1000) + seconds;
  const { boundObjectRef } = objectAt(given, 'spec');
  const bound = isJsonObject(boundObjectRef) ? boundObject(registry.store, boundObjectRef, namespace, name) : {};
  const uid = account.metadata.uid ?? '';
  const token = tokens.issue({ namespace, name, uid, audiences, expires, ...bound }, nowMs);
  const { managedFields } = managerOf(registry.now()).update(undefined, given, query.fieldManager).metadata;
  const answer = {
    ...TOKEN_REQUEST,
    metadata: { name, namespace, uid, creationTimestamp: registry.now(), managedFields },
    spec: { audiences, expirationSeconds: seconds, boundObjectRef: boundObjectRef ?? null },
    status: { token, expirationTimestamp: `${new Date(expires * 1000).toISOString().slice(0, 19)}Z` },
  };
  return json(201, answer, 'authentication.TokenRequest');
}

function managerOf(now: string): FieldManager {
  const { mergeType: type } = codec;
  const { apiVersion } = TOKEN_REQUEST;
  return new FieldManager({
    type,
    apiVersion,
    subresource: 'token',
    reset: undefined,
    resetElsewhere: undefined,
    versions: NO_OTHER_VERSIONS,
    now,
    isChecked: true,
    encode: (object) => codec.encode(object),
    empty: codec.empty(),
  });
}
