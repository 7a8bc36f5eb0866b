import { LINE_WIDTH } from './literal.js';

const DECORATORS = ['Field', 'Kind', 'PrintColumn', 'Scale', 'Schema', 'SelectableField', 'StructType', 'XValidation'];
const CLASSES = ['Condition', 'CustomResource', 'LabelSelector', 'LabelSelectorRequirement'];
const TYPES = ['JsonSchema', 'ObjectMeta', 'UnstructuredObject'];

/** The local name of an import. */
export interface ImportedName {
  readonly name: string;
  readonly as: string;
}

/** Returns the imports of a file, based on the names that its source uses. */
export function importSource(source: string, definitions: readonly ImportedName[]): string {
  // names in strings and comments do not count as uses
  const code = source.replaceAll(/\/\*\*.*?\*\/|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/gs, '');
  const uses = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(code);
  const values = [...DECORATORS.filter((name) => code.includes(`@${name}(`)), ...CLASSES.filter(uses)].sort();
  const names = definitions.map(({ name, as }) => (name === as ? name : `${name} as ${as}`)).sort();
  return [
    importLine('import', values, 'kindwright'),
    importLine('import type', TYPES.filter(uses), 'kindwright'),
    importLine('import', names, 'kindwright/definitions'),
  ].join('');
}

function importLine(keyword: string, names: readonly string[], from: string): string {
  if (names.length === 0) return '';
  const line = `${keyword} { ${names.join(', ')} } from '${from}';\n`;
  if (line.length <= LINE_WIDTH + 1) return line;
  return `${keyword} {\n${names.map((name) => `  ${name},\n`).join('')}} from '${from}';\n`;
}
