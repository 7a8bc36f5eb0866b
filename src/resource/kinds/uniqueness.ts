import type { KindRef } from '../../api/kind-ref.js';
import type { Diagnostics } from '../diagnostics.js';
import type { Location } from '../location.js';
import type { ControllerSettings } from './controller-settings.js';
import type { FinalizerMethod } from './finalizers.js';
import { kindLocation } from './kind-location.js';

/** The names that two kinds, or two controllers, must not share. */
interface Named {
  readonly target: Location['target'];
  readonly className: string;
  readonly kind: KindRef;
  readonly definesKind: boolean;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly controller: Pick<ControllerSettings, 'name' | 'fieldManager'>;
  readonly finalizers: readonly FinalizerMethod[];
  readonly isReconciled: boolean;
}

/** Adds a diagnostic for each pair of classes that share what the API server or the manifests identify them by. */
export function collectUniqueness(models: readonly Named[], diagnostics: Diagnostics): void {
  for (const [index, model] of models.entries()) {
    for (const owner of models.slice(0, index))
      if (!areVersions(owner, model)) collectClashes(owner, model, diagnostics);
  }
}

/** Two versions of one kind share all names. */
function areVersions(a: Named, b: Named): boolean {
  return a.definesKind && b.definesKind && isSameKind(a, b) && a.kind.version !== b.kind.version;
}

function isSameKind({ kind: a }: Named, { kind: b }: Named): boolean {
  return a.group === b.group && a.kind === b.kind;
}

type Wrong = (problem: string, hint: string) => void;

/** Classes of the same kind and version also share the names that follow from the kind; that is reported once. */
function collectClashes(owner: Named, model: Named, diagnostics: Diagnostics): void {
  const location = kindLocation(model.target, model.definesKind ? 'Kind' : 'Controller');
  const wrong: Wrong = (problem, hint) => {
    diagnostics.add(location, `${problem}, as ${owner.className} does`, hint);
  };
  const { kind } = model;
  if (owner.definesKind && model.definesKind) {
    if (isSameKind(owner, model)) {
      wrong(`declares kind ${kind.kind} ${kind.version} in group ${kind.group}`, `@Kind({ kind: '…' })`);
      return;
    }
    collectSharedNames(owner, model, wrong);
  }
  if (owner.isReconciled && model.isReconciled) collectControllerClashes(owner, model, wrong);
}

function collectSharedNames(owner: Named, model: Named, wrong: Wrong): void {
  const { group } = model.kind;
  const names = owner.kind.group === group ? namesOf(model).filter((name) => namesOf(owner).includes(name)) : [];
  if (names.length > 0)
    wrong(
      `uses the resource ${names.length > 1 ? 'names' : 'name'} ${names.join(', ')} in group ${group}`,
      'use another plural, singular or shortNames in @Kind',
    );
}

/** Two controllers of one kind with the same finalizer or field manager would undo each other's work. */
function collectControllerClashes(owner: Named, model: Named, wrong: Wrong): void {
  const { name, fieldManager } = model.controller;
  if (owner.controller.name === name) wrong(`uses the controller name ${name}`, `@Controller({ name: '…' })`);
  if (!isSameKind(owner, model)) return;
  if (owner.controller.fieldManager === fieldManager && owner.controller.name !== name)
    wrong(`uses the field manager ${fieldManager} for ${model.kind.kind}`, `@Controller({ fieldManager: '…' })`);
  const shared = model.finalizers.find((finalizer) => owner.finalizers.some((other) => other.name === finalizer.name));
  if (shared) wrong(`uses the finalizer ${shared.name} for ${model.kind.kind}`, `@Finalizer('apps.example.com/…')`);
}

function namesOf({ kind, singular, shortNames }: Named): string[] {
  return [...new Set([kind.plural, singular, ...shortNames])];
}
