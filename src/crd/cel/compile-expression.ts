import type { CelType } from './check/cel-type.js';
import { checkExpression, type CheckedExpression } from './check/checker.js';
import { literalErrors } from './check/literal-errors.js';
import { parseExpression } from './syntax/parse.js';
import { formatSourceErrors, SourceError } from './syntax/source-error.js';

/**
 * Compiles and type-checks an expression; errors have the text of cel-go.
 *
 * @param mixed allows list and map literals with elements of several types
 */
export function compileExpression(
  source: string,
  variables: Readonly<Record<string, CelType>>,
  { mixed = false }: { readonly mixed?: boolean } = {},
): CheckedExpression | string {
  try {
    const checked = checkExpression(parseExpression(source), variables);
    const errors = checked.errors.length > 0 || mixed ? checked.errors : literalErrors(checked);
    return errors.length > 0 ? formatSourceErrors(source, errors) : checked;
  } catch (error) {
    if (error instanceof SourceError) return formatSourceErrors(source, [error]);
    throw error;
  }
}

export function outputType({ expression, types }: CheckedExpression): CelType | undefined {
  return types.get(expression);
}
