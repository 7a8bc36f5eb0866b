import { OperatorError } from '../../base/operator-error.js';
import { crdProblems, type Definition as ServerDefinition } from '../../crd/definition/crd-problems.js';
import type { CustomResourceDefinition } from '../../api/kinds.js';

/** @throws OperatorError that lists why the API server would refuse a definition */
export function requireAccepted(definition: CustomResourceDefinition): void {
  const errors = crdProblems(asStored(definition));
  if (errors.length === 0) return;
  const list = errors.map(({ field, body }) => `\n  ${field}: ${body}`).join('');
  throw new OperatorError(`the API server would refuse ${definition.metadata.name}:${list}`, {
    code: 'E_CRD',
    hint: 'mend the definition first; only what Kubernetes takes can be said by classes',
  });
}

/** What a file holds, before it is looked at. */
type Incomplete = Pick<CustomResourceDefinition, 'metadata'> & {
  readonly spec?: Partial<CustomResourceDefinition['spec']>;
};

/** A definition with what the server adds before it looks at it. */
function asStored({ metadata, spec }: Incomplete): ServerDefinition {
  const { kind = '' } = spec?.names ?? {};
  const names = { singular: kind.toLowerCase(), listKind: `${kind}List`, ...spec?.names };
  const stored = (spec?.versions ?? []).filter(({ storage }) => storage).map(({ name }) => name);
  return {
    metadata,
    spec: { conversion: { strategy: 'None' }, ...spec, names },
    status: { acceptedNames: names, storedVersions: stored, conditions: [] },
  };
}
