import { ownMember } from '../../base/own-member.js';
import { badRequest, invalid } from '../errors/status-error.js';
import { readUnstored } from './request/read-unstored.js';
import { placeInNamespace } from './request/request-namespace.js';
import { arrayAt, objectAt, stringAt, type ApiObject, type JsonObject } from '../objects/api-object.js';
import type { Registry } from '../registry/registry.js';
import { resourceFieldManager } from '../registry/resource-field-manager.js';
import { userInfo, type UserInfo } from '../objects/user-info.js';
import type { Resource } from '../resources/resource.js';
import type { ApiRequest } from '../transport/request/api-request.js';
import { json, type Outcome } from '../transport/response/outcome.js';
import { validateAccessReview } from '../validation/access-review-validation.js';
import { DEFAULT_AUDIENCE, type Authenticator } from '../auth/authenticator.js';
import type { RbacAuthorizer } from '../auth/rbac-authorizer.js';
import type { ServiceAccountTokens } from '../auth/service-account-token.js';

export interface ReviewDependencies {
  readonly registry: Registry;
  readonly authenticator: Authenticator;
  readonly authorizer: RbacAuthorizer;
  readonly tokens: ServiceAccountTokens;
}

type Review = (dependencies: ReviewDependencies, request: ApiRequest, given: ApiObject) => JsonObject;

const accessOfSubject: Review = ({ authorizer }, _request, given) =>
  withAccess(given, authorizer, subjectOf(given.spec));

/** Kinds that are evaluated and returned, not stored. */
const REVIEWS: Readonly<Record<string, Review>> = {
  selfsubjectaccessreviews: ({ authorizer }, { user }, given) => withAccess(given, authorizer, user),
  localsubjectaccessreviews: accessOfSubject,
  subjectaccessreviews: accessOfSubject,
  selfsubjectrulesreviews({ authorizer }, { user }, { spec }) {
    const namespace = stringAt(spec, 'namespace');
    if (namespace === '') throw badRequest('no namespace on request');
    return { metadata: {}, spec: {}, status: rules(authorizer, user, namespace) };
  },
  selfsubjectreviews: ({ registry }, { user }) => ({
    metadata: { creationTimestamp: registry.now() },
    status: { userInfo: userInfo(user) },
  }),
  tokenreviews({ authenticator }, _request, { metadata, spec }) {
    const token = stringAt(spec, 'token');
    if (token === '') throw badRequest('token is required for TokenReview in authentication');
    return { metadata, spec, status: tokenStatus(authenticator, token, arrayAt(spec, 'audiences') as string[]) };
  },
};

export function isReview(resource: Resource): boolean {
  return Object.hasOwn(REVIEWS, resource.plural);
}

export async function evaluateReview(
  dependencies: ReviewDependencies,
  resource: Resource,
  request: ApiRequest,
): Promise<Outcome> {
  const { given, query } = await readUnstored(resource, request);
  placeInNamespace(resource, given, request.info.namespace);
  const manager = resourceFieldManager(resource, {}, dependencies.registry.now());
  const managed = manager.update(undefined, given, query.fieldManager);
  const answer = ownMember(REVIEWS, resource.plural)?.(dependencies, request, managed);
  const { kind, apiVersion, group } = resource;
  return json(201, { kind, apiVersion, ...answer }, `${group.split('.', 1).join()}.${kind}`);
}

function withAccess(given: ApiObject, authorizer: RbacAuthorizer, user: UserInfo): JsonObject {
  const errors = validateAccessReview(given);
  if (errors.length > 0) throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', errors);
  const { metadata, spec } = given;
  return { metadata, spec, status: access(authorizer, user, spec) };
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

function tokenStatus(authenticator: Authenticator, token: string, wanted: readonly string[]): JsonObject {
  const verdict = authenticator.check(token, wanted.length > 0 ? wanted : [DEFAULT_AUDIENCE]);
  if ('user' in verdict) return { authenticated: true, user: userInfo(verdict.user), audiences: verdict.audiences };
  const { problem } = verdict;
  return { user: {}, error: problem === '' ? 'invalid bearer token' : `[invalid bearer token, ${problem}]` };
}
