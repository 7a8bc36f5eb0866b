import type { Constraint } from './constraints.js';

/**
 * The `message` option of a constraint with `$property` and `$constraint1` replaced, as class-validator does; undefined
 * without one, and if it depends on the value: a function, or a text with `$value` or `$target`.
 */
export function fixedMessage({ message, property, args }: Constraint): string | undefined {
  if (typeof message !== 'string' || /\$(?:value|target)\b/.test(message)) return undefined;
  return message.replaceAll(/\$(property\b|constraint(\d+))/g, (_token, _name, number?: string) => {
    if (number === undefined) return property;
    const value = args[Number(number) - 1];
    return Array.isArray(value) ? value.join(', ') : String(value);
  });
}
