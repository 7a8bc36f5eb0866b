import { OperatorError } from '../base/operator-error.js';

/** Where a mistake is: a class, and a member of it unless it is about the class as a whole. */
export interface Place {
  readonly className: string;
  readonly member?: string;
}

/** What is wrong with an annotated class, and the line to type instead. */
export interface Mistake extends Place {
  readonly problem: string;
  readonly hint: string;
}

/** What is wrong, and the line to type instead, where the place is known already. */
export type Problem = readonly [problem: string, hint: string];

/** Everything that is wrong with a set of annotated classes. */
export class ModelError extends OperatorError {
  readonly mistakes: readonly Mistake[];

  constructor(mistakes: readonly Mistake[]) {
    const [first] = mistakes;
    const isOne = mistakes.length === 1;
    super(isOne && first ? lineOf(first) : listOf(mistakes), {
      code: 'E_MODEL',
      hint: isOne ? first?.hint : undefined,
    });
    this.mistakes = mistakes;
  }
}

function lineOf({ className, member, problem }: Mistake): string {
  return `${member === undefined ? className : `${className}.${member}`}: ${problem}`;
}

function listOf(mistakes: readonly Mistake[]): string {
  const lines = mistakes.map((mistake) => `  ${lineOf(mistake).replaceAll('\n', '\n    ')}\n    hint: ${mistake.hint}`);
  return `${mistakes.length} mistakes in annotated classes\n${lines.join('\n')}`;
}
