import type { KindRef } from '../../api/kind-ref.js';
import type { Diagnostics } from '../diagnostics.js';
import type { Location } from '../location.js';
import { kindLocation } from './kind-location.js';

/** The names that two kinds must not share. */
interface Named {
  readonly target: Location['target'];
  readonly className: string;
  readonly kind: KindRef;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly controller: { readonly name: string };
  readonly isReconciled: boolean;
}

/** Adds a diagnostic for each pair of kinds that share what the API server or the manifests identify them by. */
export function collectUniqueness(models: readonly Named[], diagnostics: Diagnostics): void {
  for (const [index, model] of models.entries()) {
    for (const owner of models.slice(0, index))
      if (!areVersions(owner, model)) collectClashes(owner, model, diagnostics);
  }
}

/** Two versions of one kind share all names. */
function areVersions({ kind: a }: Named, { kind: b }: Named): boolean {
  return a.group === b.group && a.kind === b.kind && a.version !== b.version;
}

/** Classes of the same kind and version also share the names that follow from the kind; that is reported once. */
function collectClashes(owner: Named, model: Named, diagnostics: Diagnostics): void {
  const { kind } = model;
  const location = kindLocation(model.target);
  const wrong = (problem: string, hint: string): void => {
    diagnostics.add(location, `${problem}, as ${owner.className} does`, hint);
  };
  const isSameGroup = owner.kind.group === kind.group;
  if (isSameGroup && owner.kind.kind === kind.kind) {
    wrong(`declares kind ${kind.kind} ${kind.version} in group ${kind.group}`, `@Kind({ kind: '…' })`);
    return;
  }
  const names = isSameGroup ? namesOf(model).filter((name) => namesOf(owner).includes(name)) : [];
  if (names.length > 0)
    wrong(
      `uses the resource ${names.length > 1 ? 'names' : 'name'} ${names.join(', ')} in group ${kind.group}`,
      'use another plural, singular or shortNames in @Kind',
    );
  const isSameController = owner.controller.name === model.controller.name;
  if (isSameController && owner.isReconciled && model.isReconciled)
    wrong(`uses the controller name ${model.controller.name}`, `@Controller({ name: '…' })`);
}

function namesOf({ kind, singular, shortNames }: Named): string[] {
  return [...new Set([kind.plural, singular, ...shortNames])];
}
