import { resourceName } from '../../api/kinds/kind-ref.js';
import { deepEqual } from '../../base/deep-equal.js';
import type { ApiChange } from '../../evolution/api-change.js';
import { compareApis } from '../../evolution/compare-apis.js';
import { customResourceDefinition } from '../../manifests/crd/crd.js';
import { byKind } from '../../resource/kinds/versions.js';
import type { ResourceModel } from '../../resource/model.js';

/** The kinds with a CustomResourceDefinition or policies that differ from those of the running classes. */
export interface ChangedDefinitions {
  /** All versions of these kinds. */
  readonly models: readonly ResourceModel[];
  /** The most severe first. Not those of kinds that are new. */
  readonly changes: readonly ApiChange[];
}

export function changedDefinitions(
  running: readonly ResourceModel[],
  next: readonly ResourceModel[],
): ChangedDefinitions {
  const before = new Map(byKind(running).map((versions) => [nameOf(versions), versions]));
  const models: ResourceModel[] = [];
  const changes: ApiChange[] = [];
  for (const versions of byKind(next)) {
    const old = before.get(nameOf(versions)) ?? [];
    const isSame =
      versions.every((model, index) => model.target === old[index]?.target) && old.length === versions.length;
    if (isSame) continue;
    const published = old.length === 0 ? [] : [customResourceDefinition(...old)];
    const definition = customResourceDefinition(...versions);
    if (deepEqual(published, [definition]) && deepEqual(old.map(policiesOf), versions.map(policiesOf))) continue;
    models.push(...versions);
    if (published.length > 0) changes.push(...compareApis(published, [definition]));
  }
  const policed = next.filter((model) => !model.definesKind && model.policies.length > 0);
  models.push(...policed.filter(({ target }) => !running.some((model) => model.target === target)));
  return { models, changes };
}

function nameOf([first]: readonly ResourceModel[]): string {
  return first ? resourceName(first.kind) : '';
}

function policiesOf({ policies }: ResourceModel): unknown {
  return policies;
}

/** Describes a change: `breaking: .spec.size: maximum is 5, was 10`. */
export function describeApiChange({ severity, version, path, what }: ApiChange): string {
  return [severity, ...(version === undefined ? [] : [version]), ...(path === '' ? [] : [path]), what].join(': ');
}
