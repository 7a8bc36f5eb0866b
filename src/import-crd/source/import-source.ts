import { LINE_WIDTH } from './literal.js';

const DECORATORS = ['Description', 'Field', 'Kind', 'PrintColumn', 'Scale', 'Schema', 'SelectableField', 'XValidation'];
const CLASSES = ['Condition', 'CustomResource', 'LabelSelector', 'LabelSelectorRequirement'];
const TYPES = ['JsonSchema', 'ObjectMeta', 'UnstructuredObject'];

/** The local name of an import. */
export interface ImportedName {
  readonly name: string;
  readonly as: string;
  readonly from: 'kindwright' | 'kindwright/definitions';
}

/** Returns the imports of a file, based on the names that its source uses. */
export function importSource(source: string, definitions: readonly ImportedName[]): string {
  // names in strings and comments do not count as uses
  const code = source.replaceAll(/\/\*\*.*?\*\/|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/gs, '');
  const uses = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(code);
  const own = [...DECORATORS.filter((name) => code.includes(`@${name}(`)), ...CLASSES.filter(uses)];
  const types = TYPES.filter(uses).map((name) => `type ${name}`);
  return [
    importLine([...[...own, ...namesFrom('kindwright', definitions)].sort(), ...types], 'kindwright'),
    importLine(namesFrom('kindwright/definitions', definitions).sort(), 'kindwright/definitions'),
  ].join('');
}

function namesFrom(entry: ImportedName['from'], names: readonly ImportedName[]): string[] {
  return names.filter(({ from }) => from === entry).map(({ name, as }) => (name === as ? name : `${name} as ${as}`));
}

function importLine(names: readonly string[], from: string): string {
  if (names.length === 0) return '';
  const line = `import { ${names.join(', ')} } from '${from}';\n`;
  if (line.length <= LINE_WIDTH + 1) return line;
  return `import {\n${names.map((name) => `  ${name},\n`).join('')}} from '${from}';\n`;
}
