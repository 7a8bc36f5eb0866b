import { OperatorError } from '../base/operator-error.js';

/** Where a diagnostic is: a class, and a member of it unless it is about the class as a whole. */
export interface Location {
  readonly className: string;
  readonly member?: string;
}

/** What is wrong with an annotated class, and the line to type instead. */
export interface Diagnostic extends Location {
  readonly problem: string;
  readonly hint: string;
}

/** What is wrong, and the line to type instead, where the place is known already. */
export type Problem = readonly [problem: string, hint: string];

/** Everything that is wrong with a set of annotated classes. */
export class ModelError extends OperatorError {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    const [first] = diagnostics;
    const isOne = diagnostics.length === 1;
    super(isOne && first ? lineOf(first) : listOf(diagnostics), {
      code: 'E_MODEL',
      hint: isOne ? first?.hint : undefined,
    });
    this.diagnostics = diagnostics;
  }
}

function lineOf({ className, member, problem }: Diagnostic): string {
  return `${member === undefined ? className : `${className}.${member}`}: ${problem}`;
}

function listOf(diagnostics: readonly Diagnostic[]): string {
  const lines = diagnostics.map(
    (diagnostic) => `  ${lineOf(diagnostic).replaceAll('\n', '\n    ')}\n    hint: ${diagnostic.hint}`,
  );
  return `${diagnostics.length} errors in annotated classes\n${lines.join('\n')}`;
}
