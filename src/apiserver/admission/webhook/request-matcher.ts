import { matchesSelector, type LabelSelector } from '../../../api/selection/label-selector.js';
import { notFound } from '../../errors/status-error.js';
import type { Resource } from '../../resources/resource.js';
import type { ResourceRegistry } from '../../resources/resource-registry.js';
import type { ObjectStore } from '../../storage/object-store.js';
import { namespaceOfRequest, type AdmissionAttributes } from '../../registry/admission.js';
import { matchesRule, type RuleSubject, type RuleWithOperations } from './rules.js';

/** The criteria by which both webhooks and policies match requests. */
export interface RequestCriteria {
  readonly rules?: readonly RuleWithOperations[] | undefined;
  readonly excludeRules?: readonly RuleWithOperations[] | undefined;
  readonly matchPolicy?: string | undefined;
  readonly namespaceSelector?: LabelSelector | undefined;
  readonly objectSelector?: LabelSelector | undefined;
}

type Labels = Readonly<Record<string, string>> | undefined;

/** Matches requests against the criteria of a webhook or policy. */
export class RequestMatcher {
  constructor(
    private readonly store: ObjectStore,
    private readonly resources: ResourceRegistry,
  ) {}

  /** Returns the resource as which the request matches: its own, or an equivalent one in another version. */
  match(criteria: RequestCriteria, request: AdmissionAttributes): Resource | undefined {
    if (!this.matchesObject(criteria.objectSelector, request)) return undefined;
    const resource = this.matchRules(criteria, request);
    return resource && this.matchesNamespace(criteria.namespaceSelector, request) ? resource : undefined;
  }

  /** Matches by rules only, independently of the object. */
  matchRules(
    { rules = [], matchPolicy, excludeRules = [] }: RequestCriteria,
    request: AdmissionAttributes,
  ): Resource | undefined {
    if (excludeRules.length > 0 && this.covers(excludeRules, matchPolicy, request)) return undefined;
    return this.covers(rules, matchPolicy, request);
  }

  private covers(
    rules: readonly RuleWithOperations[],
    matchPolicy: string | undefined,
    request: AdmissionAttributes,
  ): Resource | undefined {
    const { resource } = request;
    if (rules.some((rule) => matchesRule(rule, subjectOf(request, resource)))) return resource;
    if (matchPolicy === 'Exact') return undefined;
    for (const rule of rules) {
      const other = this.equivalents(resource).find((each) => matchesRule(rule, subjectOf(request, each)));
      if (other) return other;
    }
    return undefined;
  }

  /** Returns other versions of the same resource. */
  private equivalents(resource: Resource): Resource[] {
    return this.resources.versionsOf(resource).filter((other) => other !== resource);
  }

  private matchesNamespace(selector: LabelSelector | undefined, request: AdmissionAttributes): boolean {
    const namespace = namespaceOfRequest(request);
    return namespace === '' || isEmpty(selector) || matchesSelector(selector, this.labelsOf(namespace, request));
  }

  private labelsOf(namespace: string, { resource, operation, subresource, object }: AdmissionAttributes): Labels {
    if (resource.storage === 'namespaces' && subresource === '' && operation !== 'DELETE')
      return object.metadata.labels;
    const stored = this.store.get('namespaces', namespace);
    if (!stored) throw notFound({ group: '', plural: 'namespaces' }, namespace);
    return stored.object.metadata.labels;
  }

  private matchesObject(selector: LabelSelector | undefined, { operation, object, old }: AdmissionAttributes): boolean {
    if (isEmpty(selector)) return true;
    const given = operation === 'DELETE' ? [old] : [object, old];
    return given.some((each) => each && matchesSelector(selector, each.metadata.labels));
  }
}

function isEmpty(selector: LabelSelector | undefined): selector is undefined {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

function subjectOf(request: AdmissionAttributes, { group, version, plural }: Resource): RuleSubject {
  const { operation, subresource, resource, object } = request;
  const { name } = object.metadata;
  // Namespaces count as cluster-scoped although their requests have a namespace.
  return { operation, group, version, plural, subresource, isNamespaced: resource.namespaced, name };
}
