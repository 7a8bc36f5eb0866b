import { resourceName, type KindRef } from '../../api/kinds/kind-ref.js';
import { ADMISSION } from '../decorators/admission.js';
import { MUTATE } from '../decorators/mutate.js';
import { VALIDATE } from '../decorators/validate.js';
import type { WebhookMethodEntry } from '../decorators/webhook-method.js';
import type { Diagnostics } from '../diagnostics.js';
import { inheritedMetadata, ownMetadata } from '../metadata.js';
import { methodProblems, type Subresources } from './method-problems.js';
import { matchConditions, requestRules } from './request-scope.js';
import { webhookAddresses } from './webhook-addresses.js';
import type { WebhookMethod, WebhookModel } from './webhook-model.js';

type WebhookType = WebhookModel['type'];
type Target = abstract new (...args: never[]) => object;

/** A class with webhooks. */
interface Owner {
  readonly target: Target;
  readonly kind: KindRef;
  readonly definesKind: boolean;
  readonly subresources: Subresources;
  /** True if writes can violate a rule that is checked at run time only. */
  readonly hasRuntimeRules: boolean;
}

interface CompleteEntry extends WebhookMethodEntry {
  readonly statesFailurePolicy: boolean;
}

const DEFAULT_TIMEOUT_SECONDS = 5;
/** Writes of other kinds must not wait long for an operator that is not theirs. */
const ADMISSION_TIMEOUT_SECONDS = 3;
const KEYS = { Mutating: MUTATE, Validating: VALIDATE } as const;

/**
 * The admission webhooks of a class: one for the methods of each type without options, so that a write needs one call,
 * and one for each set of methods with the same options other than `on` and `subresources`.
 */
export function webhookModels(owner: Owner, diagnostics: Diagnostics): WebhookModel[] {
  const webhooks = (['Mutating', 'Validating'] as const).flatMap((type) => ofType(type, owner, diagnostics));
  collectDuplicates(webhooks, owner, diagnostics);
  return webhooks;
}

function ofType(type: WebhookType, owner: Owner, diagnostics: Diagnostics): WebhookModel[] {
  const entries = overriding(inheritedMetadata(KEYS[type], owner.target)).map((entry) =>
    withDefaults(entry, type, owner),
  );
  const isMutating = type === 'Mutating';
  const sound = entries.filter((entry) => {
    const problems = [...methodProblems(entry, { ...owner, isMutating })];
    for (const [problem, hint] of problems)
      diagnostics.add(
        { target: owner.target, member: entry.method },
        `@${isMutating ? 'Mutate' : 'Validate'}: ${problem}`,
        hint,
      );
    return problems.length === 0;
  });
  const addressOf = webhookAddresses(type, owner.kind, owner.definesKind ? undefined : owner.target.name);
  return [...Map.groupBy(sound, groupKey)].map(([key, group]) => {
    const [first] = group as [CompleteEntry];
    const address = addressOf(first.options, plainEntry(first, type, owner).options, key);
    return webhook(type, address, group, owner);
  });
}

/** A subclass that decorates a method again replaces its options. */
function overriding(entries: readonly WebhookMethodEntry[]): WebhookMethodEntry[] {
  const byMethod = entries.map((entry) => [JSON.stringify([entry.isStatic, entry.method]), entry] as const);
  return [...new Map(byMethod).values()];
}

/** The entry with the options of `@Admission`, and the defaults for kinds of others. */
function withDefaults(entry: WebhookMethodEntry, type: WebhookType, owner: Owner): CompleteEntry {
  if (owner.definesKind) return { ...entry, statesFailurePolicy: entry.options.failurePolicy !== undefined };
  const [admission] = ownMetadata(ADMISSION, owner.target);
  const { allow: _, ...shared } = admission?.options ?? {};
  const stated = { ...shared, ...entry.options };
  const failurePolicy = type === 'Mutating' ? 'Ignore' : 'Fail';
  const defaults = { failurePolicy, timeoutSeconds: ADMISSION_TIMEOUT_SECONDS } as const;
  return { ...entry, options: { ...defaults, ...stated }, statesFailurePolicy: stated.failurePolicy !== undefined };
}

function groupKey({ options }: WebhookMethodEntry): string {
  const { on: _on, subresources: _subresources, ...shared } = options;
  return JSON.stringify(Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function webhook(
  type: WebhookType,
  address: Pick<WebhookModel, 'name' | 'path' | 'isFiltered'>,
  group: readonly CompleteEntry[],
  owner: Owner,
): WebhookModel {
  const [{ options = {} } = {}] = group as readonly Partial<WebhookMethodEntry>[];
  const { failurePolicy = 'Fail', timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, sideEffects = 'None' } = options;
  const { namespaceSelector, objectSelector } = options;
  const methods = group.map(methodOf);
  return Object.freeze({
    type,
    ...address,
    methods,
    rules: requestRules(methods, owner.kind),
    failurePolicy,
    timeoutSeconds,
    sideEffects,
    matchConditions: matchConditions(options),
    namespaceSelector,
    objectSelector,
    reinvocationPolicy: reinvocation(type, options),
  });
}

/** The entry of a method without options of its own. */
function plainEntry(entry: WebhookMethodEntry, type: WebhookType, owner: Owner): WebhookMethodEntry {
  return withDefaults({ ...entry, options: {} }, type, owner);
}

function reinvocation(type: WebhookType, options: WebhookMethodEntry['options']): WebhookModel['reinvocationPolicy'] {
  if (type === 'Validating') return undefined;
  return options.reinvocation === true ? 'IfNeeded' : 'Never';
}

function methodOf({ method, isStatic, options, statesFailurePolicy }: CompleteEntry): WebhookMethod {
  const { subresources, on = subresources ? ['UPDATE'] : ['CREATE', 'UPDATE'] } = options;
  return { method, isStatic, operations: on, subresources, statesFailurePolicy };
}

function collectDuplicates(webhooks: readonly WebhookModel[], { target }: Owner, diagnostics: Diagnostics): void {
  for (const property of ['name', 'path'] as const) {
    for (const same of Map.groupBy(webhooks, (each) => each[property]).values()) {
      const [first, other] = same;
      if (!first || !other) continue;
      diagnostics.add(
        { target, member: other.methods[0]?.method },
        `${first.methods[0]?.method ?? '@Validate before the class'} has a webhook with the same ${property} "${first[property]}" and other options`,
        `use the same options for both, or for one of them another ${property}`,
      );
    }
  }
}

interface Version {
  readonly definesKind: boolean;
  readonly target: new () => object;
  readonly className: string;
  readonly kind: KindRef;
  readonly webhooks: readonly WebhookModel[];
}

/**
 * Adds a diagnostic for each kind with webhooks in several versions: the API server converts a request to the version of
 * each, so that every write would call all of them.
 */
export function collectWebhookVersions(models: readonly Version[], diagnostics: Diagnostics): void {
  const defining = models.filter(({ definesKind }) => definesKind);
  const byKind = Map.groupBy(defining, ({ kind }) => resourceName(kind));
  for (const versions of byKind.values()) {
    const [first, ...others] = versions.filter(({ webhooks }) => webhooks.length > 0);
    for (const { target, webhooks } of others) {
      diagnostics.add(
        { target, member: webhooks[0]?.methods[0]?.method },
        `${first?.className ?? ''} has webhooks too, and each write of ${first?.kind.kind ?? ''} would call both`,
        `keep the methods in one version: requests in other versions are converted to it`,
      );
    }
  }
}
