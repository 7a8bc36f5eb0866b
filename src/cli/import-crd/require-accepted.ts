import { OperatorError } from '../../base/operator-error.js';
import { crdProblems, type Definition as ServerDefinition } from '../../crd/definition/crd-problems.js';
import type { CustomResourceDefinition } from '../../api/kinds.js';

/** @throws OperatorError that lists why the API server would reject a definition */
export function requireAccepted(definition: CustomResourceDefinition): void {
  const errors = crdProblems(asStored(definition));
  if (errors.length === 0) return;
  const list = errors.map(({ field, body }) => `\n  ${field}: ${body}`).join('');
  throw new OperatorError(`the API server would reject ${definition.metadata.name}:${list}`, {
    code: 'E_CRD',
    hint: 'fix the definition; only valid definitions can be imported',
  });
}

/** A definition as it was read, before validation. */
type Incomplete = Pick<CustomResourceDefinition, 'metadata'> & {
  readonly spec?: Partial<CustomResourceDefinition['spec']>;
};

/** A definition with the server's defaults, which precede validation. */
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
