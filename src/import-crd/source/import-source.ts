import { LINE_WIDTH } from './literal.js';

const DECORATORS = ['Field', 'Kind', 'PrintColumn', 'Scale', 'Schema', 'SelectableField', 'StructType', 'XValidation'];
const CLASSES = ['Condition', 'CustomResource', 'LabelSelector', 'LabelSelectorRequirement'];
const TYPES = ['JsonSchema', 'ObjectMeta', 'UnstructuredObject'];

/** The imports of a file, by what its source uses. */
export function importSource(source: string): string {
  // What stands in strings and comments is no use of it.
  const code = source.replaceAll(/\/\*\*.*?\*\/|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/gs, '');
  const uses = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(code);
  const values = [...DECORATORS.filter((name) => code.includes(`@${name}(`)), ...CLASSES.filter(uses)].sort();
  const types = TYPES.filter(uses);
  return importLine('import', values) + (types.length > 0 ? importLine('import type', types) : '');
}

function importLine(keyword: string, names: readonly string[]): string {
  const line = `${keyword} { ${names.join(', ')} } from 'kindwright';\n`;
  if (line.length <= LINE_WIDTH + 1) return line;
  return `${keyword} {\n${names.map((name) => `  ${name},\n`).join('')}} from 'kindwright';\n`;
}
