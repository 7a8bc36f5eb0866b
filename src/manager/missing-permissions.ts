import { parseFieldSelector } from '../api/selection/field-selector.js';
import type { KindRef } from '../api/kinds/kind-ref.js';
import { SelfSubjectAccessReview, SelfSubjectRulesReview } from '../api/kinds/kinds.js';
import type { PolicyRule, Verb } from '../api/access/policy-rule.js';
import { covers, type RuleTarget } from '../api/access/rule-covers.js';
import type { Logger } from '../base/logger.js';
import type { Client } from '../client/client.js';
import { clusterHint } from '../controller/read/rbac-hint.js';
import { decoratorText } from '../manifests/access/decorator-text.js';
import {
  grantedRules,
  isCheckedWithin,
  memberRules,
  type GrantedRule,
  type RuleOrigin,
} from '../manifests/access/granted-rules.js';
import type { ResourceModel } from '../resource/model.js';

/** The options of the check. */
export interface PermissionCheckOptions {
  readonly client: Pick<Client, 'create'>;
  readonly logger: Logger;
  /** The watched namespaces; empty for all. */
  readonly namespaces: readonly string[];
  readonly signal: AbortSignal;
  /** The cluster of the client, if it is another than the operator's own. */
  readonly cluster?: string | undefined;
}

/** A permission that a decorator requires. */
interface Permission extends RuleTarget {
  readonly verb: Verb;
  readonly name: string | undefined;
  /** Undefined for all namespaces. */
  readonly namespace: string | undefined;
  readonly origin: RuleOrigin;
}

type Rules = readonly (Partial<PolicyRule> & Pick<PolicyRule, 'verbs'>)[];

/** Rules are reviewed in a namespace. A namespace without roles has only the cluster-wide rules. */
const NOWHERE = 'kindwright-preflight';

/**
 * Logs the permissions of the models' decorators that the client lacks. Never rejects.
 *
 * One SelfSubjectRulesReview finds candidates. If the server cannot list all rules, each candidate is checked by a
 * SelfSubjectAccessReview.
 */
export async function reportMissingPermissions(
  models: readonly ResourceModel[],
  options: PermissionCheckOptions,
): Promise<void> {
  const { logger, namespaces, cluster } = options;
  try {
    const permissions = models
      .flatMap(cluster === undefined ? grantedRules : memberRules)
      .flatMap((rule) => permissionsOf(rule, namespaces));
    const byNamespace = Map.groupBy(permissions, ({ namespace }) => namespace);
    const missing = await Promise.all(
      [...byNamespace].map(([namespace, asked]) => missingIn(namespace, asked, options)),
    );
    const byDecorator = Map.groupBy(missing.flat(), (permission) =>
      JSON.stringify([describe(permission), permission.namespace]),
    );
    for (const lacking of byDecorator.values()) log(lacking, logger, cluster);
  } catch (error) {
    // If the review itself fails, the first watch reports the cause.
    logger.debug('cannot determine missing permissions', { err: error });
  }
}

function permissionsOf(granted: GrantedRule, watched: readonly string[]): Permission[] {
  if (isCheckedWithin(granted)) return [];
  const { rule, origin, scope, namespace } = granted;
  const everywhere = scope === 'Cluster' || watched.length === 0 ? [undefined] : watched;
  const namespaces = namespace === undefined ? everywhere : [namespace];
  const targets: RuleTarget[] = [
    ...rule.apiGroups.flatMap((group) => rule.resources.map((resource) => ({ group, resource }))),
    ...(rule.nonResourceURLs ?? []).map((url) => ({ group: '', resource: '', url })),
  ];
  return targets.flatMap((target) =>
    rule.verbs.flatMap((verb) => {
      const part = readPart(origin, verb);
      const names = rule.resourceNames ?? [selectedName(part)];
      const places = part?.namespaces ?? namespaces;
      return places.flatMap((place) => names.map((name) => ({ ...target, verb, name, namespace: place, origin })));
    }),
  );
}

/** The part of a kind that a cache reads, if the verb is one of its reads: roles may allow the reads of only this part. */
function readPart({ model, decorator, index }: RuleOrigin, verb: Verb): KindRef['part'] {
  if (verb !== 'get' && verb !== 'list' && verb !== 'watch') return undefined;
  return cachedKind(model, decorator, index)?.part;
}

/** The only object that a cache reads, if its selector is `metadata.name=…`. */
function selectedName(part: KindRef['part']): string | undefined {
  const named = parseFieldSelector(part?.fieldSelector ?? '')?.find(
    ({ segments, isNegated }) => segments.join('.') === 'metadata.name' && !isNegated,
  );
  return named?.value;
}

function cachedKind(model: ResourceModel, decorator: RuleOrigin['decorator'], index: number): KindRef | undefined {
  if (decorator === 'Watches') return model.watches[index]?.kind;
  if (decorator === 'Owns') return model.owns[index]?.kind;
  return decorator === 'Kind' || decorator === 'Controller' ? model.ownKind : undefined;
}

async function missingIn(
  namespace: string | undefined,
  permissions: readonly Permission[],
  options: PermissionCheckOptions,
) {
  const { client, signal } = options;
  const spec = { namespace: namespace ?? NOWHERE };
  const { status } = await client.create(SelfSubjectRulesReview, { metadata: {}, spec }, { signal });
  const rules = [...(status?.resourceRules ?? []), ...(status?.nonResourceRules ?? [])] as Rules;
  const inQuestion = permissions.filter(
    (permission) => !rules.some((rule) => covers(rule, permission) && isNamed(rule, permission)),
  );
  const answers = await Promise.all(inQuestion.map((permission) => isAllowed(permission, options)));
  return inQuestion.filter((_, index) => !answers[index]);
}

function isNamed({ resourceNames = [] }: Partial<PolicyRule>, { name }: Permission): boolean {
  return resourceNames.length === 0 || (name !== undefined && resourceNames.includes(name));
}

async function isAllowed({ verb, group, resource, url, name, namespace }: Permission, options: PermissionCheckOptions) {
  const [plural = '', subresource] = resource.split('/');
  const spec =
    url === undefined
      ? { resourceAttributes: { verb, group, resource: plural, subresource, name, namespace } }
      : { nonResourceAttributes: { verb, path: url } };
  const { client, signal } = options;
  const { status } = await client.create(SelfSubjectAccessReview, { metadata: {}, spec }, { signal });
  return status?.allowed ?? false;
}

function describe({ group, resource, url, origin }: Permission): string {
  const what = url ?? (group === '' ? resource : `${resource}.${group}`);
  return `${what}, which ${decoratorText(origin)} of ${origin.model.className} needs`;
}

function log(lacking: readonly Permission[], logger: Logger, cluster: string | undefined): void {
  const [permission] = lacking;
  if (!permission) return;
  const verbs = [...new Set(lacking.map(({ verb }) => verb))];
  const { namespace } = permission;
  logger.error(`no permission to ${verbs.join(', ')} ${describe(permission)}`, {
    ...(namespace !== undefined && { namespace }),
    hint:
      cluster === undefined
        ? 'run generate-manifests and apply the roles and bindings that it writes'
        : clusterHint(cluster),
  });
}
