import { resourceName, type KindRef } from '../../api/kind-ref.js';
import type { Diagnostics } from '../diagnostics.js';
import type { Location } from '../location.js';
import { kindLocation } from './kind-location.js';

/** What must be one kind's alone. */
interface Named {
  readonly target: Location['target'];
  readonly className: string;
  readonly kind: KindRef;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly controller: { readonly name: string };
  readonly isReconciled: boolean;
}

/** Checks that no two kinds share what the API server, or the generated manifests, tell them apart by. */
export function checkUniqueness(models: readonly Named[], diagnostics: Diagnostics): void {
  const owners = new Map<string, Named>();
  for (const model of models) {
    for (const [key, claim, hint] of claims(model)) {
      const owner = owners.get(key);
      if (!owner) owners.set(key, model);
      else if (owner !== model && !areVersions(owner, model))
        diagnostics.add(kindLocation(model.target), `has ${claim}, and so does ${owner.className}`, hint);
    }
  }
}

/** Whether two classes are versions of one kind, which share all names. */
function areVersions({ kind: a }: Named, { kind: b }: Named): boolean {
  return a.group === b.group && a.kind === b.kind && a.version !== b.version;
}

function claims(model: Named): (readonly [key: string, claim: string, hint: string])[] {
  const { kind, singular, shortNames, controller, isReconciled } = model;
  const names = [...new Set([kind.plural, singular, ...shortNames])];
  return [
    [
      `kind ${kind.group} ${kind.kind} ${kind.version}`,
      `kind ${kind.kind} in group ${kind.group}`,
      `@Kind({ kind: '…' })`,
    ],
    ...names.map((name) => {
      const claim = `name ${resourceName({ group: kind.group, plural: name })}`;
      return [`name ${kind.group} ${name}`, claim, '@Kind with another plural, singular or shortNames'] as const;
    }),
    ...(isReconciled
      ? [[`controller ${controller.name}`, `controller name ${controller.name}`, `@Controller({ name: '…' })`] as const]
      : []),
  ];
}
