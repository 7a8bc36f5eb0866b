import type { UnstructuredObject } from '../../api/kube-object.js';
import { crdProblems } from '../../crd/definition/crd-problems.js';
import { illFormedStrings } from './ill-formed-strings.js';
import { storedVersion } from '../../resource/kinds/versions.js';
import type { Diagnostics } from '../../resource/diagnostics.js';
import type { Problem } from '../../resource/model-error.js';
import { kindLocation } from '../../resource/kinds/kind-location.js';
import type { ResourceModel } from '../../resource/model.js';
import { refusal } from './refusal.js';
import { schemaLocation } from './schema-location.js';

/** Adds what the API server would refuse about a definition, each where its class or field is declared. */
export function collectCrdProblems(
  crd: UnstructuredObject,
  versions: readonly ResourceModel[],
  diagnostics: Diagnostics,
): void {
  for (const field of illFormedStrings(crd)) addProblem(field, halfCharacter, versions, diagnostics);
  for (const { field, body } of crdProblems(asStored(crd, versions)))
    addProblem(field, (path) => refusal(body, path), versions, diagnostics);
}

/** A definition with what the server adds before it looks at it. */
function asStored(crd: UnstructuredObject, versions: readonly ResourceModel[]): UnstructuredObject {
  const stored = storedVersion(versions);
  const { names, ...spec } = crd['spec'] as { names: object };
  return {
    ...crd,
    spec: { conversion: { strategy: 'None' }, ...spec, names },
    status: { acceptedNames: names, storedVersions: stored ? [stored.kind.version] : [], conditions: [] },
  };
}

/** What holds for every version, the server speaks of as if there were but one. */
const SCHEMA = /^spec\.(?:versions\[(\d+)\]\.schema|validation)\.openAPIV3Schema\.?(.*)$/s;

function addProblem(
  field: string,
  problemAt: (path: string) => Problem,
  versions: readonly ResourceModel[],
  diagnostics: Diagnostics,
): void {
  const [, index, below] = SCHEMA.exec(field) ?? [];
  const model = versions[Number(index ?? 0)] ?? versions[0];
  if (!model) return;
  if (below === undefined) diagnostics.add(kindLocation(model.target), ...problemAt(field));
  else {
    const { location, rest } = schemaLocation(below, model.classModel);
    diagnostics.add(location, ...problemAt(rest));
  }
}

function halfCharacter(path: string): Problem {
  return [
    `a string of it holds half a character${path === '' ? '' : ` (${path})`}`,
    'a pair of UTF-16 units, or none of it',
  ];
}
