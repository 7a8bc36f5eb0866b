import type { KindRef } from '../../api/kinds/kind-ref.js';
import { VALIDATE } from '../decorators/validate.js';
import type { WebhookMethodEntry } from '../decorators/webhook-method.js';
import { ADMISSION } from '../decorators/admission.js';
import { isDns1123Label } from '../kinds/names.js';
import type { Problem } from '../model-error.js';
import { ownMetadata } from '../metadata.js';
import { foreignSubresourceProblem, outageProblems } from './foreign-problems.js';
import { namespaceSelectorProblems, selectorProblems } from './selector-problems.js';

/** Longer waits would slow down every write of the kind while the operator cannot be reached. */
const MAX_TIMEOUT_SECONDS = 10;

/** The same for the conversions of all kinds. */
const CONVERSION_PATH = '/convert';

/** The subresources of a kind. */
export interface Subresources {
  readonly status: boolean;
  readonly scale: boolean;
}

/** A webhook method in its class. */
interface Subject {
  readonly target: abstract new (...args: never[]) => object;
  readonly kind: KindRef;
  /** False for a class with `@Admission`. */
  readonly definesKind: boolean;
  readonly subresources: Subresources;
  readonly isMutating: boolean;
  readonly hasRuntimeRules: boolean;
}

/** The options of a webhook method that the API server rejects, or that have no effect. */
export function* methodProblems(entry: WebhookMethodEntry, subject: Subject): Generator<Problem> {
  const { method } = entry;
  yield* method === undefined ? classProblems(entry, subject) : signatureProblems({ ...entry, method }, subject);
  yield* operationProblems(entry, subject);
  yield* subresourceProblems(entry, subject);
  yield* policyProblems(entry);
  const [admission] = ownMetadata(ADMISSION, subject.target);
  if (admission) yield* outageProblems(entry, subject.kind, admission.options.allow === 'cluster-wide');
  yield* selectionProblems(entry, subject);
  yield* addressProblems(entry);
}

/** A decorator before the class. */
function* classProblems({ options }: WebhookMethodEntry, subject: Subject): Generator<Problem> {
  const { isMutating, hasRuntimeRules, target } = subject;
  if (isMutating) {
    yield ['must be on a method', `@Mutate() fill(review: Review<${target.name}>): void`];
    return;
  }
  if (!hasRuntimeRules)
    yield [
      'on a class, it checks fields with @RuntimeOnly, but the class has none outside of the status',
      `mark a field with @RuntimeOnly(), or decorate a method: @Validate() check(review: Review<${target.name}>): void`,
    ];
  if (ownMetadata(VALIDATE, target).filter(({ method }) => method === undefined).length > 1)
    yield ['is applied to the class more than once', 'keep one'];
  if (options.on?.includes('DELETE')) yield ['on: a deletion has no values to check', 'remove DELETE'];
  if (options.subresources)
    yield ['subresources: before a class, only writes of the object itself can be reviewed', 'remove subresources'];
}

function* signatureProblems(
  { method, isStatic }: WebhookMethodEntry & { readonly method: string },
  { target, kind, definesKind }: Subject,
): Generator<Problem> {
  const owner: unknown = isStatic ? target : target.prototype;
  const member = (owner as Readonly<Record<string, unknown>>)[method];
  const getsObject = isStatic || !definesKind;
  const most = getsObject ? 2 : 1;
  const type = definesKind ? target.name : kind.kind;
  if (typeof member !== 'function') yield ['must be on a method', `check(review: Review<${target.name}>): void`];
  else if (member.length > most)
    yield [
      `has more parameters than ${getsObject ? 'the object and the review' : 'the review'}`,
      `${method}(${getsObject ? `object: ${type}, ` : ''}review: Review<${type}>): void`,
    ];
}

function* operationProblems({ options }: WebhookMethodEntry, { isMutating }: Subject): Generator<Problem> {
  const { on } = options;
  if (on?.length === 0) yield ['on is empty', `on: ['CREATE', 'UPDATE']`];
  for (const operation of on ?? []) {
    if (!['CREATE', 'UPDATE', 'DELETE'].includes(operation))
      yield [`on: "${operation}" is not an operation on stored objects`, 'use CREATE, UPDATE or DELETE'];
    if (isMutating && operation === 'DELETE')
      yield ['on: a deletion has no object to change', 'reject it with @Validate, or use a @Finalizer'];
  }
}

function* subresourceProblems(entry: WebhookMethodEntry, subject: Subject): Generator<Problem> {
  const { subresources, objectSelector, on } = entry.options;
  if (!subresources || entry.method === undefined) return;
  if (subresources.length === 0) yield ['subresources is empty', `subresources: ['status']`];
  for (const name of subresources)
    yield* subject.definesKind ? subresourceProblem(name, entry, subject) : foreignSubresourceProblem(name);
  if (objectSelector)
    yield ['objectSelector does not apply to subresources', 'remove objectSelector, or select with match'];
  if (subject.definesKind && on?.some((operation) => operation !== 'UPDATE'))
    yield ['on: subresources are only updated', `on: ['UPDATE'], or omit on`];
}

function* subresourceProblem(
  name: string,
  { isStatic }: WebhookMethodEntry,
  { kind, subresources }: Subject,
): Generator<Problem> {
  if (name !== 'status' && name !== 'scale')
    yield [`subresources: "${name}" is not a subresource of custom resources`, `subresources: ['status']`];
  else if (!subresources[name])
    yield [
      `subresources: ${kind.kind} has no subresource ${name}`,
      name === 'scale' ? 'add @Scale({ … }) to the class' : 'add a field status',
    ];
  if (name === 'scale' && !isStatic)
    yield [
      'subresources: a request for scale has a Scale as its object, not the instance',
      'make the method static: static check(scale: Scale, review: Review): void',
    ];
}

function* policyProblems({ options }: WebhookMethodEntry): Generator<Problem> {
  const { failurePolicy = 'Fail', sideEffects = 'None', timeoutSeconds = 1 } = options;
  if (!['Fail', 'Ignore'].includes(failurePolicy))
    yield [`"${failurePolicy}" is not a failurePolicy`, `failurePolicy: 'Ignore'`];
  if (!['None', 'NoneOnDryRun'].includes(sideEffects))
    yield [`sideEffects "${sideEffects}" would make every dry run fail`, `sideEffects: 'NoneOnDryRun'`];
  if (!(Number.isInteger(timeoutSeconds) && timeoutSeconds >= 1 && timeoutSeconds <= MAX_TIMEOUT_SECONDS))
    yield [`timeoutSeconds ${timeoutSeconds} is not an integer from 1 to ${MAX_TIMEOUT_SECONDS}`, 'timeoutSeconds: 5'];
}

function* selectionProblems({ options }: WebhookMethodEntry, { kind }: Subject): Generator<Problem> {
  const { match, namespaceSelector, objectSelector } = options;
  if (match?.trim() === '') yield ['match is empty', `match: 'object.spec.size > 1'`];
  if (namespaceSelector) yield* namespaceSelectorProblems(namespaceSelector, kind, 'match or objectSelector');
  if (objectSelector) yield* selectorProblems('objectSelector', objectSelector);
}

function* addressProblems({ options: { name, path } }: WebhookMethodEntry): Generator<Problem> {
  if (name !== undefined && !isWebhookName(name))
    yield [`name "${name}" must consist of at least three DNS labels`, `name: 'size.podsets.example.com'`];
  if (path !== undefined && !isPath(path))
    yield [
      `path "${path}" must consist of slashes and segments of lowercase letters, digits and dashes`,
      `path: '/validate-podset'`,
    ];
  if (path === CONVERSION_PATH)
    yield [`path "${path}" is the path at which objects are converted`, `path: '/validate-podset'`];
}

function isWebhookName(name: string): boolean {
  const labels = name.split('.');
  return labels.length >= 3 && name.length <= 253 && labels.every(isDns1123Label);
}

function isPath(path: string): boolean {
  const [first, ...segments] = path.split('/');
  return first === '' && segments.length > 0 && segments.every(isDns1123Label);
}
