import { goQuoted } from '../../../../base/go-quoted.js';
import { duplicate, forbiddenField, notFoundField, type FieldError } from '../../../../api/protocol/field-error.js';
import { eachObject, isJsonObject, stringAt, without, type JsonObject } from '../../../objects/api-object.js';
import { imageSpaceErrors, validateCommon, type ContainerScope } from './container-validation.js';
import { internalDiff, internalForm } from '../../fields/internal-form.js';
import { semanticEqual } from '../../fields/semantic-equal.js';

const UNWANTED = ['ports', 'resources', 'resizePolicy', 'restartPolicy', 'restartPolicyRules'];
const UNWANTED_HOOKS = ['livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle'];
const DETAIL = 'cannot be set for an Ephemeral Container';

/** Returns the errors of a pod's ephemeral containers; the names of all containers must be unique. */
export function validateEphemeralContainers(scope: ContainerScope, path: string): FieldError[] {
  const { spec } = scope;
  const others = new Set([spec.containers, spec.initContainers].flatMap(eachObject).map(({ name }) => name));
  const all = new Set(others);
  return eachObject(spec.ephemeralContainers).flatMap((container, index) => {
    const own = `${path}[${index}]`;
    const target = stringAt(container, 'targetContainerName');
    const isTaken = all.has(container.name);
    all.add(container.name);
    return [
      ...validateCommon(container, own, scope),
      ...imageSpaceErrors([container], path).map((error) => ({ ...error, field: `${own}.image` })),
      ...(isTaken ? [duplicate(`${own}.name`, container.name)] : []),
      ...(target === '' || others.has(target) ? [] : [notFoundField(`${own}.targetContainerName`, target)]),
      ...[...UNWANTED, ...UNWANTED_HOOKS]
        .filter((field) => isSet(container[field]))
        .map((field) => forbiddenField(`${own}.${field}`, DETAIL)),
      ...subPathErrors(container, `${own}.volumeMounts`),
    ];
  });
}

/** Defaulting sets the resources of every container; empty ones count as unset. */
function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) ? Object.keys(value).length > 0 : value !== undefined;
}

function subPathErrors(container: JsonObject, field: string): FieldError[] {
  return eachObject(container.volumeMounts).flatMap((mount, index) =>
    ['subPath', 'subPathExpr']
      .filter((name) => stringAt(mount, name) !== '')
      .map((name) => forbiddenField(`${field}[${index}].${name}`, DETAIL)),
  );
}

/** Returns the errors of an update of ephemeral containers: they can be added, but not removed or changed. */
export function validateEphemeralChange(spec: JsonObject, former: JsonObject): FieldError[] {
  const [field, type] = ['spec.ephemeralContainers', 'core.EphemeralContainer'];
  const present = new Map(eachObject(spec.ephemeralContainers).map((container) => [container.name, container]));
  return eachObject(former.ephemeralContainers).flatMap((old) => {
    const quoted = goQuoted(String(old.name));
    const next = present.get(old.name);
    if (!next) return [forbiddenField(field, `existing ephemeral containers ${quoted} may not be removed\n`)];
    if (semanticEqual(internalForm(type, next), internalForm(type, old))) return [];
    const diff = internalDiff(type, old, next);
    return [forbiddenField(field, `existing ephemeral containers ${quoted} may not be changed\n${diff}`)];
  });
}

/** An update of ephemeral containers keeps the rest of the spec unchanged. */
export function onlyEphemeralContainers(next: JsonObject, old: JsonObject): JsonObject {
  const { ephemeralContainers } = next;
  const kept = without(old, 'ephemeralContainers');
  return ephemeralContainers === undefined ? kept : { ...kept, ephemeralContainers };
}
