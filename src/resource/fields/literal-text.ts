/** A string or number as TypeScript source. */
export function literalText(literal: string | number): string {
  return typeof literal === 'number' ? String(literal) : `'${literal.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}
