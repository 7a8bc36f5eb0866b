import { SelfSubjectAccessReview, SelfSubjectRulesReview } from '../api/kinds.js';
import type { PolicyRule, Verb } from '../api/policy-rule.js';
import { covers, type RuleTarget } from '../api/rule-covers.js';
import type { Logger } from '../base/logger.js';
import type { Client } from '../client/client.js';
import { decoratorText } from '../manifests/access/decorator-text.js';
import { grantedRules, isCheckedWithin, type GrantedRule, type RuleOrigin } from '../manifests/access/granted-rules.js';
import type { ResourceModel } from '../resource/model.js';

/** What rights are asked about with. */
export interface RightsOptions {
  readonly client: Pick<Client, 'create'>;
  readonly logger: Logger;
  /** Those that are watched; none for all. */
  readonly namespaces: readonly string[];
  readonly signal: AbortSignal;
}

/** A right that follows from a decorator. */
interface Right extends RuleTarget {
  readonly verb: Verb;
  readonly name: string | undefined;
  /** Undefined for all. */
  readonly namespace: string | undefined;
  readonly origin: RuleOrigin;
}

type Rules = readonly (Partial<PolicyRule> & Pick<PolicyRule, 'verbs'>)[];

/** Rules are reviewed in a namespace: in one that nobody has roles in, they are those that hold in all. */
const NOWHERE = 'kindwright-preflight';

/**
 * Logs which rights of the models' decorators the client does not have. Never rejects.
 *
 * One SelfSubjectRulesReview finds those in question; a server that cannot list all rules is asked about each of them.
 */
export async function reportMissingRights(models: readonly ResourceModel[], options: RightsOptions): Promise<void> {
  const { logger, namespaces } = options;
  try {
    const rights = models.flatMap(grantedRules).flatMap((rule) => rightsOf(rule, namespaces));
    const byNamespace = Map.groupBy(rights, ({ namespace }) => namespace);
    const missing = await Promise.all(
      [...byNamespace].map(([namespace, asked]) => missingIn(namespace, asked, options)),
    );
    const byDecorator = Map.groupBy(missing.flat(), (right) => JSON.stringify([describe(right), right.namespace]));
    for (const lacking of byDecorator.values()) log(lacking, logger);
  } catch (error) {
    // Who may not even ask, or cannot reach the server, is told so by the first watch.
    logger.debug('which rights are missing could not be found out', { err: error });
  }
}

function rightsOf(granted: GrantedRule, watched: readonly string[]): Right[] {
  if (isCheckedWithin(granted)) return [];
  const { rule, origin, scope, namespace } = granted;
  const everywhere = scope === 'Cluster' || watched.length === 0 ? [undefined] : watched;
  const namespaces = namespace === undefined ? everywhere : [namespace];
  const targets: RuleTarget[] = [
    ...rule.apiGroups.flatMap((group) => rule.resources.map((resource) => ({ group, resource }))),
    ...(rule.nonResourceURLs ?? []).map((url) => ({ group: '', resource: '', url })),
  ];
  const names = rule.resourceNames ?? [undefined];
  return targets.flatMap((target) =>
    namespaces.flatMap((place) =>
      rule.verbs.flatMap((verb) => names.map((name) => ({ ...target, verb, name, namespace: place, origin }))),
    ),
  );
}

async function missingIn(namespace: string | undefined, rights: readonly Right[], options: RightsOptions) {
  const { client, signal } = options;
  const spec = { namespace: namespace ?? NOWHERE };
  const { status } = await client.create(SelfSubjectRulesReview, { metadata: {}, spec }, { signal });
  const rules = [...(status?.resourceRules ?? []), ...(status?.nonResourceRules ?? [])] as Rules;
  const inQuestion = rights.filter((right) => !rules.some((rule) => covers(rule, right) && isNamed(rule, right)));
  const answers = await Promise.all(inQuestion.map((right) => isAllowed(right, options)));
  return inQuestion.filter((_, index) => !answers[index]);
}

function isNamed({ resourceNames = [] }: Partial<PolicyRule>, { name }: Right): boolean {
  return resourceNames.length === 0 || (name !== undefined && resourceNames.includes(name));
}

async function isAllowed({ verb, group, resource, url, name, namespace }: Right, options: RightsOptions) {
  const [plural = '', subresource] = resource.split('/');
  const spec =
    url === undefined
      ? { resourceAttributes: { verb, group, resource: plural, subresource, name, namespace } }
      : { nonResourceAttributes: { verb, path: url } };
  const { client, signal } = options;
  const { status } = await client.create(SelfSubjectAccessReview, { metadata: {}, spec }, { signal });
  return status?.allowed ?? false;
}

function describe({ group, resource, url, origin }: Right): string {
  const what = url ?? (group === '' ? resource : `${resource}.${group}`);
  return `${what}, which ${decoratorText(origin)} of ${origin.model.className} needs`;
}

function log(lacking: readonly Right[], logger: Logger): void {
  const [right] = lacking;
  if (!right) return;
  const verbs = [...new Set(lacking.map(({ verb }) => verb))];
  const { namespace } = right;
  logger.error(`no right to ${verbs.join(', ')} ${describe(right)}`, {
    ...(namespace !== undefined && { namespace }),
    hint: 'run generate-manifests and apply the roles and bindings that it writes',
  });
}
