import type { KindRef } from '../api/kinds/kind-ref.js';
import type { Diagnostics } from './diagnostics.js';
import type { Location } from './location.js';
import type { WebhookModel } from './webhooks/webhook-model.js';
import type { ControllerSettings } from './kinds/controller-settings.js';
import type { FinalizerMethod } from './kinds/finalizers.js';
import { kindLocation } from './kinds/kind-location.js';

/** The names that two kinds, or two controllers, must not share. */
interface Named {
  readonly target: Location['target'];
  readonly className: string;
  readonly kind: KindRef;
  readonly definesKind: boolean;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly controller: Pick<ControllerSettings, 'name' | 'fieldManager' | 'formerFinalizers'>;
  readonly finalizers: readonly FinalizerMethod[];
  readonly isReconciled: boolean;
  readonly webhooks: readonly Pick<WebhookModel, 'name' | 'path' | 'methods'>[];
}

/** Adds a diagnostic for each pair of classes that share a name that must be unique in the API server or in the manifests. */
export function collectUniqueness(models: readonly Named[], diagnostics: Diagnostics): void {
  const names = new UniqueNames();
  for (const model of models) {
    names.collectModel(model, diagnostics);
    names.add(model);
  }
}

/** The names of a set of classes. A class is compared only with those that share a name with it. */
export class UniqueNames {
  private readonly owners = new Map<string, Set<Named>>();
  private readonly order = new Map<Named, number>();
  private added = 0;

  /** Adds a diagnostic for each class of the set that shares a name with the model. */
  collectModel(model: Named, diagnostics: Diagnostics): void {
    const owners = new Set(namesToShare(model).flatMap((name) => [...(this.owners.get(name) ?? [])]));
    const inOrder = [...owners].sort((a, b) => (this.order.get(a) ?? 0) - (this.order.get(b) ?? 0));
    for (const owner of inOrder) if (!areVersions(owner, model)) collectClashes(owner, model, diagnostics);
  }

  add(model: Named): void {
    this.order.set(model, this.added++);
    for (const name of namesToShare(model)) {
      const owners = this.owners.get(name);
      if (owners) owners.add(model);
      else this.owners.set(name, new Set([model]));
    }
  }

  delete(model: Named): void {
    this.order.delete(model);
    for (const name of namesToShare(model)) {
      const owners = this.owners.get(name);
      owners?.delete(model);
      if (owners?.size === 0) this.owners.delete(name);
    }
  }
}

/** Returns the names that no other class may have, each with a prefix for its purpose. */
function namesToShare(model: Named): string[] {
  const { kind, controller, finalizers } = model;
  const names: string[] = [];
  if (model.definesKind) {
    names.push(`kind ${kind.group}/${kind.kind}`, ...namesOf(model).map((name) => `resource ${kind.group}/${name}`));
  }
  if (model.isReconciled) {
    const place = `${kind.group}/${kind.kind}`;
    names.push(`controller ${controller.name}`, `manager ${place} ${controller.fieldManager}`);
    const ownFinalizers = [...finalizers.map(({ name }) => name), ...(controller.formerFinalizers ?? [])];
    names.push(...ownFinalizers.map((name) => `finalizer ${place} ${name}`));
  }
  names.push(...model.webhooks.flatMap(({ name, path }) => [`webhook ${name}`, `path ${path}`]));
  return names;
}

/** Two versions of one kind share all names. */
function areVersions(a: Named, b: Named): boolean {
  return a.definesKind && b.definesKind && isSameKind(a, b) && a.kind.version !== b.kind.version;
}

function isSameKind({ kind: a }: Named, { kind: b }: Named): boolean {
  return a.group === b.group && a.kind === b.kind;
}

type Report = (problem: string, hint: string) => void;

/** Classes of the same kind and version also share the names that follow from the kind; that is reported once. */
function collectClashes(owner: Named, model: Named, diagnostics: Diagnostics): void {
  const location = kindLocation(model.target, model.definesKind ? 'Kind' : 'Controller');
  const report: Report = (problem, hint) => {
    diagnostics.add(location, `${problem}, as ${owner.className} does`, hint);
  };
  const { kind } = model;
  if (owner.definesKind && model.definesKind) {
    if (isSameKind(owner, model)) {
      report(`declares kind ${kind.kind} ${kind.version} in group ${kind.group}`, `@Kind({ kind: '…' })`);
      return;
    }
    collectSharedNames(owner, model, report);
  }
  if (owner.isReconciled && model.isReconciled) collectControllerClashes(owner, model, report);
  collectWebhookClashes(owner, model, diagnostics);
}

function collectSharedNames(owner: Named, model: Named, report: Report): void {
  const { group } = model.kind;
  const names = owner.kind.group === group ? namesOf(model).filter((name) => namesOf(owner).includes(name)) : [];
  if (names.length > 0)
    report(
      `uses the resource ${names.length > 1 ? 'names' : 'name'} ${names.join(', ')} in group ${group}`,
      'use another plural, singular or shortNames in @Kind',
    );
}

/** Two controllers of one kind with the same finalizer or field manager would undo each other's work. */
function collectControllerClashes(owner: Named, model: Named, report: Report): void {
  const { name, fieldManager } = model.controller;
  if (owner.controller.name === name) report(`uses the controller name ${name}`, `@Controller({ name: '…' })`);
  if (!isSameKind(owner, model)) return;
  if (owner.controller.fieldManager === fieldManager && owner.controller.name !== name)
    report(`uses the field manager ${fieldManager} for ${model.kind.kind}`, `@Controller({ fieldManager: '…' })`);
  const shared = model.finalizers.find((finalizer) => owner.finalizers.some((other) => other.name === finalizer.name));
  if (shared) report(`uses the finalizer ${shared.name} for ${model.kind.kind}`, `@Finalizer('apps.example.com/…')`);
}

/** All classes of a process share a server: of two webhooks with one path, only one would get its reviews. */
function collectWebhookClashes(owner: Named, { target, webhooks }: Named, diagnostics: Diagnostics): void {
  for (const property of ['name', 'path'] as const) {
    for (const { methods, [property]: value } of webhooks) {
      if (!owner.webhooks.some((other) => other[property] === value)) continue;
      diagnostics.add(
        { target, member: methods[0]?.method },
        `uses the webhook ${property} ${value}, as ${owner.className} does`,
        `use another ${property} for one of the two webhooks`,
      );
    }
  }
}

function namesOf({ kind, singular, shortNames }: Named): string[] {
  return [...new Set([kind.plural, singular, ...shortNames])];
}
