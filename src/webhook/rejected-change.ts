import { changedFields, formatFieldPath } from '../base/changed-fields.js';
import { deepEqual } from '../base/deep-equal.js';
import { isJsonObject, type JsonObject } from '../base/json-object.js';
import { OperatorError } from '../base/operator-error.js';
import { ownMember } from '../base/own-member.js';
import { fieldWord } from '../resource/fields/value-model.js';
import { sourceLine } from '../resource/location.js';
import type { ResourceModel } from '../resource/model.js';
import { unknownField } from '../resource/instances/unknown-field.js';

const OWN_METADATA: readonly string[] = ['labels', 'annotations', 'finalizers', 'ownerReferences'];

/** A change by a method that the API server would reject or drop. */
interface Rejection {
  readonly path: string;
  readonly problem: string;
  readonly hint: string;
}

/**
 * Returns an error for the first change that the API server would reject or drop: of the identity of the object, of
 * metadata that the API server sets, of the status on a write of the object itself, and of fields that the schema lacks.
 *
 * @param subresource - undefined on a write of the object itself
 */
export function rejectedChange(
  model: ResourceModel,
  method: string,
  subresource: string | undefined,
  before: JsonObject,
  after: JsonObject,
): OperatorError | undefined {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [from, to] = [ownMember(before, name), ownMember(after, name)];
    if (deepEqual(from, to)) continue;
    const rejection = rejectionOf(model, name, subresource, from, to);
    if (rejection) return errorOf(model, method, rejection);
  }
  return undefined;
}

/** Returns an error for the first change by a method that reviews without changing: it would be lost. */
export function discardedChange(
  model: ResourceModel,
  method: string,
  before: JsonObject,
  after: JsonObject,
): OperatorError | undefined {
  const [changed] = changedFields(before, after, 1);
  return (
    changed &&
    errorOf(model, method, {
      path: formatFieldPath(changed.path),
      problem: 'is not stored: @Validate methods change nothing',
      hint: 'change it in a @Mutate method, or keep the value in a variable',
    })
  );
}

function rejectionOf(
  model: ResourceModel,
  name: string,
  subresource: string | undefined,
  from: unknown,
  to: unknown,
): Rejection | undefined {
  const path = (): string => formatFieldPath([name, ...(changedFields(from, to, 1)[0]?.path ?? [])]);
  if (name === 'apiVersion' || name === 'kind')
    return { path: path(), problem: 'identifies the object', hint: `do not assign ${name}` };
  if (separatesStatus(model, subresource) && (name === 'status') !== (subresource === 'status'))
    return statusRejection(path(), subresource);
  if (name === 'metadata') return metadataRejection(from, to);
  return model.definesKind ? unknownRejection(model, name, from, to) : undefined;
}

/** Kinds that are defined elsewhere and have a status write it by the subresource. */
function separatesStatus({ hasStatus, definesKind }: ResourceModel, subresource: string | undefined): boolean {
  return definesKind ? hasStatus : subresource === undefined || subresource === 'status';
}

function statusRejection(path: string, subresource: string | undefined): Rejection {
  return subresource === 'status'
    ? {
        path,
        problem: 'is not part of the subresource status',
        hint: 'change this.status only, or change it in a method without subresources',
      }
    : {
        path,
        problem: 'is dropped by the API server: the status is a subresource',
        hint: `set it in reconcile, or in a method with subresources: ['status']`,
      };
}

function metadataRejection(from: unknown, to: unknown): Rejection | undefined {
  const changed = changedFields(isJsonObject(from) ? from : {}, isJsonObject(to) ? to : {}, Infinity);
  const other = changed.find(({ path: [name] }) => !OWN_METADATA.includes(String(name)));
  return (
    other && {
      path: formatFieldPath(['metadata', ...other.path]),
      problem: 'is set by the API server or identifies the object',
      hint: `change ${OWN_METADATA.join(', ')} only`,
    }
  );
}

/** Fields that the schema lacks are pruned. */
function unknownRejection(
  { className, fields }: ResourceModel,
  name: string,
  from: unknown,
  to: unknown,
): Rejection | undefined {
  const field = fields.find((each) => each.name === name);
  if (!field)
    return { path: name, problem: `is not a @Field of ${className}`, hint: `add @Field() ${name} to ${className}` };
  const unknown = unknownField(to, from, field.value);
  if (!unknown) return undefined;
  const owner = unknown.classModel.className || 'its type';
  return {
    path: `${name}${unknown.path}`,
    problem: `is dropped by the API server: ${owner} has no ${fieldWord(unknown.classModel)} ${unknown.name}`,
    hint: `correct the name, or declare the field`,
  };
}

function errorOf({ className, target }: ResourceModel, method: string, { path, problem, hint }: Rejection) {
  const source = sourceLine({ target, member: method });
  const where = `${source === undefined ? '' : `${source} `}${className}.${method}`;
  return new OperatorError(`${where}: changed ${path}, which ${problem}`, { code: 'E_WEBHOOK_CHANGE', hint });
}
