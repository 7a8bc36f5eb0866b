import { invalidValue, required, tooLong, type FieldError } from '../../../api/protocol/field-error.js';
import { isJsonObject, stringAt, type JsonObject } from '../../objects/api-object.js';
import { checkDnsSubdomain, validateRequired } from '../fields/field-checks.js';

const MAX_EXPRESSION = 10 * 1024;

/** Returns the errors of a device selector. Its expression is not compiled. */
export function selectorErrors({ cel }: JsonObject, path: string): FieldError[] {
  if (!isJsonObject(cel)) return [required(`${path}.cel`)];
  const isLong = Buffer.byteLength(stringAt(cel, 'expression')) > MAX_EXPRESSION;
  return isLong ? [tooLong(`${path}.cel.expression`, MAX_EXPRESSION)] : [];
}

/** Returns the errors of the opaque configuration of a driver. */
export function opaqueErrors(opaque: unknown, path: string): FieldError[] {
  if (!isJsonObject(opaque)) return [required(path)];
  const { parameters } = opaque;
  const isMissing = parameters === undefined || parameters === null;
  return [
    ...validateRequired(`${path}.driver`, stringAt(opaque, 'driver'), checkDnsSubdomain),
    ...(isMissing ? [required(`${path}.parameters`)] : []),
    ...(isMissing || isJsonObject(parameters)
      ? []
      : [invalidValue(`${path}.parameters`, '<value omitted>', 'must be a valid JSON object')]),
  ];
}
