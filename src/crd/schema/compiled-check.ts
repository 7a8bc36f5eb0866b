import { createRequire } from 'node:module';
import type { Ajv } from 'ajv';
import { compilePattern } from '../../base/pattern.js';
import { formatError } from '../formats/string-formats.js';
import { FORMAT, keywordSchema, NUMBER } from './keyword-schema.js';
import { numberErrors } from './number-errors.js';
import type { StructuralSchema } from './structural-schema.js';

const load = createRequire(import.meta.url);

/** Returns whether a JSON value has no schema error. `SchemaValidator` returns the errors. */
export type Check = (value: unknown) => boolean;

/**
 * Compiles a CRD's schema with ajv, which is loaded on the first call.
 *
 * The check agrees with `SchemaValidator` on all JSON values without numbers beyond 2^53, which it rejects as
 * integers. Compiling takes a few milliseconds per hundred fields. Returns undefined for the few schemas that ajv
 * cannot represent.
 */
export function compileCheck(schema: StructuralSchema): Check | undefined {
  const compilable = keywordSchema(schema);
  if (compilable === undefined) return undefined;
  const check = newAjv().compile(compilable);
  return (value) => check(value);
}

function newAjv(): Ajv {
  const { Ajv: Compiler } = load('ajv') as { Ajv: typeof Ajv };
  const ajv = new Compiler({
    ...{ strict: false, validateSchema: false, validateFormats: false, meta: false, logger: false },
    ownProperties: true,
    code: { regExp: linearRegExp },
  });
  ajv.addKeyword({
    keyword: NUMBER,
    type: 'number',
    errors: false,
    compile: (schema: StructuralSchema) => (value: number) => numberErrors(schema, value, '').length === 0,
  });
  ajv.addKeyword({
    keyword: FORMAT,
    type: 'string',
    errors: false,
    compile: (format: string) => (value: string) => formatError(format, value) === undefined,
  });
  return ajv;
}

/** Patterns in RE2 syntax, as on the API server. */
const linearRegExp = Object.assign(
  (pattern: string) => ({
    test: (text: string) => compilePattern(pattern).matcher(text).find(),
    toString: () => pattern, // ajv reuses an expression for every pattern with the same text
  }),
  { code: 'linearRegExp' }, // only used in standalone code
);
