import type { CustomResourceDefinition } from '../../api/kinds/kinds.js';
import { OperatorError } from '../../base/operator-error.js';
import { crdProblems, type Definition as ServerDefinition } from '../../crd/definition/crd-problems.js';
import { shapeProblems } from './definition-shape.js';

/** @throws OperatorError for a definition that the API server would not decode, or that it would reject, with each reason */
export function assertValidDefinition(definition: CustomResourceDefinition): void {
  assertShape(definition);
  assertAccepted(definition);
}

function assertShape(definition: Incomplete): void {
  const problems = shapeProblems(definition);
  if (problems.length === 0) return;
  const name = (definition as { metadata?: { name?: unknown } }).metadata?.name;
  throw new OperatorError(
    `the CustomResourceDefinition ${typeof name === 'string' ? name : 'without name'} is malformed:${problems.map((each) => `\n  ${each}`).join('')}`,
    { code: 'E_CRD', hint: 'fix the definition; kindwright reads valid definitions only' },
  );
}

function assertAccepted(definition: CustomResourceDefinition): void {
  const errors = crdProblems(asStored(definition));
  if (errors.length === 0) return;
  const list = errors.map(({ field, body }) => `\n  ${field}: ${body}`).join('');
  throw new OperatorError(`the API server would reject ${definition.metadata.name}:${list}`, {
    code: 'E_CRD',
    hint: 'fix the definition; kindwright reads valid definitions only',
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
