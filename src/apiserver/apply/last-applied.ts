import { parseJson, stringifyJson } from '../../base/json.js';
import { sortedMembers } from '../../base/sorted-members.js';
import { isJsonObject, objectAt, stringAt, without, type JsonObject } from '../objects/api-object.js';
import type { MergeType } from '../schema/merge-type.js';
import { compareValues } from './compare.js';
import { toFieldSet } from './field-set.js';
import type { PathSet } from './path-set.js';
import { typedProblems } from './typed-problems.js';

/** The annotation with the configuration that client-side apply applied last. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Returns the fields that client-side apply wrote and that have not changed since: the same client may take them over
 * with server-side apply, as in lastappliedmanager.go. Undefined when the live object has no such annotation.
 */
export function allowedConflicts(type: MergeType, apiVersion: string, live: JsonObject): PathSet | undefined {
  const text = stringAt(objectAt(objectAt(live, 'metadata'), 'annotations'), LAST_APPLIED);
  const last = readConfiguration(text);
  if (!last || last.apiVersion !== apiVersion) return undefined;
  if (typedProblems(type, last).length > 0 || typedProblems(type, live).length > 0) return undefined;
  const { added, removed, modified } = compareValues(type, last, live);
  return toFieldSet(type, last).difference(modified).difference(added).difference(removed);
}

function readConfiguration(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the value of the annotation for an applied configuration. */
export function configurationText(config: JsonObject): string {
  const metadata = objectAt(config, 'metadata');
  const { annotations } = metadata;
  const rest = isJsonObject(annotations) ? { annotations: without(annotations, LAST_APPLIED) } : {};
  return `${stringifyJson(sortedMembers({ ...config, metadata: { ...metadata, ...rest } }))}\n`;
}
