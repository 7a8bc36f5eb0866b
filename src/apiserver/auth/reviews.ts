import { arrayAt, objectAt, stringAt, type JsonObject } from '../object.js';
import type { Registry } from '../registry/registry.js';
import type { UserInfo } from '../registry/write-options.js';
import type { Resource } from '../resources/resource.js';
import type { ApiRequest } from '../transport/api-request.js';
import { json, type Outcome } from '../transport/outcome.js';
import { readPlainObject } from '../transport/plain-object.js';
import { DEFAULT_AUDIENCE, type Authenticator } from './authenticator.js';
import type { RbacAuthorizer } from './rbac-authorizer.js';
import type { ServiceAccountTokens } from './service-account-token.js';

export interface ReviewDependencies {
  readonly registry: Registry;
  readonly authenticator: Authenticator;
  readonly authorizer: RbacAuthorizer;
  readonly tokens: ServiceAccountTokens;
}

type Review = (dependencies: ReviewDependencies, request: ApiRequest, given: JsonObject) => JsonObject;

/** Kinds that are answered, not stored. */
const REVIEWS: Readonly<Record<string, Review>> = {
  selfsubjectaccessreviews: ({ authorizer }, { user }, { spec }) => ({ spec, status: access(authorizer, user, spec) }),
  localsubjectaccessreviews: ({ authorizer }, _request, { spec }) => ({
    spec,
    status: access(authorizer, subjectOf(spec), spec),
  }),
  subjectaccessreviews: ({ authorizer }, _request, { spec }) => ({
    spec,
    status: access(authorizer, subjectOf(spec), spec),
  }),
  selfsubjectrulesreviews: ({ authorizer }, { user }, { spec }) => ({
    spec: {},
    status: rules(authorizer, user, stringAt(spec, 'namespace')),
  }),
  selfsubjectreviews: ({ registry }, { user }) => ({
    metadata: { creationTimestamp: registry.now() },
    status: { userInfo: userInfo(user) },
  }),
  tokenreviews: ({ authenticator }, _request, { spec }) => ({
    spec,
    status: tokenStatus(authenticator, stringAt(spec, 'token'), arrayAt(spec, 'audiences') as string[]),
  }),
};

export function isReview(resource: Resource): boolean {
  return Object.hasOwn(REVIEWS, resource.plural);
}

export async function review(
  dependencies: ReviewDependencies,
  resource: Resource,
  request: ApiRequest,
): Promise<Outcome> {
  const given = await readPlainObject(request, resource.kind);
  const answer = REVIEWS[resource.plural]?.(dependencies, request, given);
  return json(201, { kind: resource.kind, apiVersion: resource.apiVersion, metadata: given.metadata ?? {}, ...answer });
}

function access(authorizer: RbacAuthorizer, user: UserInfo, spec: unknown): JsonObject {
  const [resource, url] = [objectAt(spec, 'resourceAttributes'), objectAt(spec, 'nonResourceAttributes')];
  const subresource = stringAt(resource, 'subresource');
  const { isAllowed, reason } = authorizer.decide(user, {
    verb: stringAt(resource, 'verb') || stringAt(url, 'verb'),
    group: stringAt(resource, 'group'),
    resource: stringAt(resource, 'resource') + (subresource === '' ? '' : `/${subresource}`),
    namespace: stringAt(resource, 'namespace'),
    name: stringAt(resource, 'name'),
    path: stringAt(url, 'path') === '' ? undefined : stringAt(url, 'path'),
  });
  return { allowed: isAllowed, ...(reason !== '' && { reason }) };
}

function subjectOf(spec: unknown): UserInfo {
  return { name: stringAt(spec, 'user'), groups: arrayAt(spec, 'groups') as string[] };
}

function rules(authorizer: RbacAuthorizer, user: UserInfo, namespace: string): JsonObject {
  const all = [...authorizer.rulesFor(user, namespace)];
  return {
    resourceRules: all.filter((rule) => arrayAt(rule, 'resources').length > 0),
    nonResourceRules: all.filter((rule) => arrayAt(rule, 'nonResourceURLs').length > 0),
    incomplete: false,
  };
}

function userInfo({ name, uid, groups, extra }: UserInfo): JsonObject {
  return { username: name, ...(uid !== undefined && { uid }), groups, ...(extra && { extra }) };
}

function tokenStatus(authenticator: Authenticator, token: string, wanted: readonly string[]): JsonObject {
  const verdict = authenticator.check(token, wanted.length > 0 ? wanted : [DEFAULT_AUDIENCE]);
  if ('user' in verdict) return { authenticated: true, user: userInfo(verdict.user), audiences: verdict.audiences };
  const { problem } = verdict;
  return { user: {}, error: problem === '' ? 'invalid bearer token' : `[invalid bearer token, ${problem}]` };
}
