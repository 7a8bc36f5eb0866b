import type { KubeObject, ReadonlyDeep } from '../api/objects/kube-object.js';
import { splitKey, type ObjectKey } from '../api/objects/object-key.js';
import { processRedactor } from '../api/access/redaction.js';
import { Clusters } from '../client/clusters.js';
import { dependentsFinalizer } from '../resource/kinds/finalizers.js';
import type { ResourceModel } from '../resource/model.js';
import { passwordFields } from '../resource/password-fields.js';
import { Dependents } from './reconcile/dependents.js';
import { Finalizers } from './reconcile/finalizers.js';
import type { KindControllerOptions } from './kind-controller-options.js';
import type { LastingParts } from './lasting-parts.js';
import { createObjectAccess, type ObjectAccess } from './object-access.js';
import type { ObjectWriter } from './write/object-writer.js';
import { OptionalKinds } from './read/optional-kinds.js';
import { rbacHint } from './read/rbac-hint.js';
import { ReconciledCondition } from './run/reconciled-condition.js';
import { Pauses } from './reconcile/pauses.js';
import type { ReconcileClient } from './run/reconcile-client.js';
import type { RecordEvent } from './context/context-services.js';
import { ActingAccounts } from './context/acting-accounts.js';
import { Reconciler } from './reconcile/reconciler.js';
import { StatusWriter } from './write/status-writer.js';
import { UnwatchedKinds } from './read/unwatched-kinds.js';

/** The parts of a controller that depend on the version of its class. */
export interface ClassParts {
  readonly model: ResourceModel;
  readonly access: ObjectAccess;
  readonly optionalKinds: OptionalKinds;
  readonly reconciler: Reconciler;
  readonly finalizers: Finalizers;
  readonly pauses: Pauses;
  /** Records a warning Event about the reconciles of an object. */
  readonly warnAbout: (key: ObjectKey, reason: string, message: string) => void;
  /** The next step to take after an error. */
  readonly hintFor: (error: Error) => string | undefined;
}

/** @param given the access of the version before, if it has the same */
export function createClassParts(
  model: ResourceModel,
  options: KindControllerOptions,
  lasting: LastingParts,
  given?: ObjectAccess,
): ClassParts {
  const { clock, member } = options;
  const { log, watches, due, deletions, recorder } = lasting;
  const { name } = model.controller;
  if (recorder) processRedactor.addKind(model.kind, passwordFields(model));
  const access = given ?? createObjectAccess(model, options, watches);
  if (given) access.caches.replaceIndexes(model.indexes);
  const { client, caches, writer, applier, creator, updater } = access;
  const optionalKinds = new OptionalKinds(model, caches);
  const unwatched = new UnwatchedKinds(model, log);
  const finalizers = createFinalizers(model, client, writer);
  const record: RecordEvent = (about, type, reason, message, { related, action = 'Reconcile' } = {}) => {
    const objects = { about: subjectOf(about), related: related && subjectOf(related) };
    options.recorder.record({ component: name, ...objects, type, reason, message, action });
  };
  const warnAbout: ClassParts['warnAbout'] = (key, reason, message) => {
    const { name: object, namespace } = splitKey(key);
    const found = caches.informersFor(model.kind).map(({ lister }) => lister.get(object, namespace));
    const about = found.find((cached) => cached !== undefined);
    if (about) record(about, 'Warning', reason, message);
  };
  const statusWriter = new StatusWriter(model.kind, client, writer, clock);
  const messages = lasting.paused;
  const pauses = new Pauses({ messages, model, clock, record, statusWriter, metrics: options.metrics?.controller });
  const clusters = options.clusters ?? new Clusters();
  const services = { client, clusters, member, caches, writer, applier, creator, updater, unwatched, record };
  const reconciler = new Reconciler({
    model,
    services: { accounts: new ActingAccounts(model), ...services },
    finalizers,
    statusWriter,
    condition: new ReconciledCondition(model, clock),
    isStrict: options.strict,
    provided: options.provided,
    due,
    dependents: model.dependents.length > 0 ? new Dependents(model, caches, clock, optionalKinds) : undefined,
    watches,
    pauses,
    deletions,
  });
  const hintFor = (error: Error): string | undefined => rbacHint(error, model, unwatched, member?.name);
  return { model, access, optionalKinds, reconciler, finalizers, pauses, warnAbout, hintFor };
}

/** An earlier release of the class may have had `deleteWhen`; only a class that defines its kind can. */
function createFinalizers(model: ResourceModel, client: ReconcileClient, writer: ObjectWriter) {
  const { kind, definesKind, finalizers, controller } = model;
  const names = finalizers.map(({ name }) => name);
  const ofDependents = definesKind ? [dependentsFinalizer(kind)] : [];
  const former = [...ofDependents, ...(controller.formerFinalizers ?? [])].filter((name) => !names.includes(name));
  return new Finalizers(kind, names, client, writer, former);
}

function subjectOf({ apiVersion = '', kind = '', metadata }: ReadonlyDeep<KubeObject>) {
  const { name, namespace = '', uid = '' } = metadata;
  return { apiVersion, kind, name, namespace, uid };
}
