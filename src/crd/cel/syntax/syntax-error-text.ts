import { SourceError } from './source-error.js';

const OPERAND =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** A syntax error of the parser as cel-go words it, as far as the two tell the same. */
export function syntaxErrorText(source: string, error: unknown): SourceError {
  const { code, at } = describe(error);
  if (code === 'reserved_identifier') return new SourceError(at, `reserved identifier: ${tokenAt(source, at)}`);
  if (code === 'invalid_macro_argument')
    return new SourceError(source.startsWith('.', at - 1) ? at - 1 : at, 'argument must be a simple name');
  return new SourceError(at, `Syntax error: ${tokenProblem(code, tokenAt(source, at))}`);
}

function tokenProblem(code: string, token: string): string {
  const isEnd = token === '<EOF>';
  if (code === 'unexpected_token')
    return `${isEnd ? 'mismatched' : 'extraneous'} input '${token}' expecting ${OPERAND}`;
  if (code !== 'unexpected_character') return `mismatched input '${token}'`;
  const isToken = /^[\w"'([{)\]}]/.test(token);
  return isToken ? `extraneous input '${token}' expecting <EOF>` : `token recognition error at: '${token}'`;
}

function describe(error: unknown): { code: string; at: number } {
  const { code, range } = error as { code?: unknown; range?: { start?: unknown } };
  return { code: typeof code === 'string' ? code : '', at: typeof range?.start === 'number' ? range.start : 0 };
}

function tokenAt(source: string, at: number): string {
  const rest = source.slice(at).trimStart();
  return rest === '' ? '<EOF>' : (/^(\w+|[^\w\s])/.exec(rest)?.[0] ?? rest);
}
