import { OperatorError } from '../base/operator-error.js';

/** An error in an annotated class. */
export interface Diagnostic {
  readonly className: string;
  /** A property or method; undefined when the diagnostic is about the whole class. */
  readonly member?: string;
  /** File and line, such as `operators/podset.ts:31`; undefined where no loader recorded the source. */
  readonly source?: string;
  readonly problem: string;
  /** The code to write instead, or the step to take. */
  readonly hint: string;
}

/** Problem and hint of a diagnostic; the caller adds the location. */
export type Problem = readonly [problem: string, hint: string];

/** The diagnostics of a set of annotated classes. */
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

function lineOf({ className, member, source, problem }: Diagnostic): string {
  const path = member === undefined ? className : `${className}.${member}`;
  return `${source === undefined ? '' : `${source} `}${path}: ${problem}`;
}

function listOf(diagnostics: readonly Diagnostic[]): string {
  const entries = diagnostics.map(
    (diagnostic) => `  ${lineOf(diagnostic).replaceAll('\n', '\n    ')}\n    hint: ${diagnostic.hint}`,
  );
  return `${diagnostics.length} errors in annotated classes\n${entries.join('\n')}`;
}
