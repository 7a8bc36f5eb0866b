import type { KindRef } from '../../api/kinds/kind-ref.js';
import type { CustomResource } from '../custom-resource.js';
import { ADMISSION } from '../decorators/admission.js';
import { DEPENDENT } from '../decorators/dependent.js';
import { FINALIZER } from '../decorators/finalizer.js';
import { MUTATE } from '../decorators/mutate.js';
import { OWNS } from '../decorators/owns.js';
import { POLICY } from '../decorators/policy.js';
import { VALIDATE } from '../decorators/validate.js';
import { INDEX } from '../decorators/index-decorator.js';
import { WATCHES } from '../decorators/watches.js';
import type { Diagnostics } from '../diagnostics.js';
import type { Problem } from '../model-error.js';
import { decoratorUse, inheritedMetadata, ownMetadata } from '../metadata.js';
import { foreignDeclaration, referenceOf } from './foreign-declaration.js';
import { collectConstructor, isReconciled, type KindDeclaration } from './kind-class.js';

type Target = abstract new (...args: never[]) => object;

/** Groups with objects that are never stored, or never sent to webhooks. */
const UNREVIEWED: readonly string[] = ['admissionregistration.k8s.io', 'authentication.k8s.io', 'authorization.k8s.io'];

/** Returns true for a class that reviews objects of a kind defined elsewhere. */
export function isAdmissionClass(target: Target): boolean {
  return ownMetadata(ADMISSION, target).length > 0;
}

/** The declaration of a class with `@Admission`; undefined without a valid kind. Adds diagnostics for the class as a whole. */
export function admissionDeclaration(target: Target, diagnostics: Diagnostics): KindDeclaration | undefined {
  const [entry, second] = ownMetadata(ADMISSION, target);
  const location = { target, decorator: { target, name: 'Admission', index: 0 } };
  if (second) diagnostics.add(location, 'has several @Admission decorators', 'use one class for each kind');
  const kind = entry && referenceOf(entry.kind);
  if (!kind) {
    const hint = 'a kind of Kubernetes, a class with @Kind, or a KindRef: { group, version, kind, plural, scope }';
    diagnostics.add(location, '@Admission: the first argument is not a kind', hint);
    return undefined;
  }
  const problem = kindProblem(kind);
  if (problem) {
    diagnostics.add(location, `@Admission${problem[0]}`, problem[1]);
    return undefined;
  }
  if (UNREVIEWED.includes(kind.group))
    diagnostics.add(
      location,
      `@Admission(${kind.kind}): API servers do not send objects of ${kind.group} to webhooks`,
      'review another kind',
    );
  if (isReconciled(target))
    diagnostics.add({ target, member: 'reconcile' }, 'is not called for a class with @Admission', 'use another class');
  if ([MUTATE, VALIDATE, POLICY].every((key) => inheritedMetadata<unknown>(key, target).length === 0))
    diagnostics.add(
      location,
      'has no @Mutate or @Validate method and no @Policy',
      `@Validate() check(object: ${kind.kind}): void`,
    );
  for (const key of [OWNS, WATCHES, INDEX, FINALIZER, DEPENDENT]) {
    const use = decoratorUse(key as typeof OWNS, target, 0);
    if (use) diagnostics.add({ target }, `@${use.name} requires a class that reconciles`, `remove @${use.name}`);
  }
  collectConstructor(target, diagnostics);
  return foreignDeclaration(target, kind as KindRef<CustomResource>, false);
}

/** The reason why no class can review the kind, and the remedy; undefined if one can. */
function kindProblem({ kind, group, version, plural, part }: KindRef): Problem | undefined {
  if (part) return [`: the first argument is a part of ${kind}, but webhooks get whole objects`, `@Admission(${kind})`];
  if (![group, version, plural].some((name) => name.includes('*'))) return undefined;
  return [
    `(${kind}): "*" would select kinds that the cluster cannot run without`,
    'pass one kind; use a separate class for each kind',
  ];
}
