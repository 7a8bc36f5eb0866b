import { posix } from 'node:path';
import { parseSync, type Class, type Program } from 'oxc-parser';
import { classNode } from '../../compiler/class-node.js';
import { calledNames } from './kind-classes.js';
import type { KindIdentity } from './kind-identity.js';
import { conversionComment, pascalVersion, versionOptions } from './version-file.js';

/** The decorators of a class that belong to its API, and not to its operator. */
const API_DECORATORS =
  /^(PrintColumn|Scale|SelectableField|XValidation|ExactlyOneOf|AtMostOneOf|AtLeastOneOf|Union|Immutable)$/;

/** A class of a kind, and the module that it is in. */
export interface CopiedClass {
  readonly file: string;
  readonly source: string;
  readonly className: string;
  readonly hasPlural: boolean;
}

/**
 * Returns the module of another version with the fields of an existing one: the classes, constants and types of the module
 * that its fields use are copied, classes with the version in their names.
 */
export function copiedVersion(identity: KindIdentity, copied: CopiedClass): string | undefined {
  const { file, source, className, hasPlural } = copied;
  const { program } = parseSync(file, source, { sourceType: 'module', lang: 'ts' });
  const root = program.body.flatMap((statement) => classNode(statement) ?? []).find(({ id }) => id?.name === className);
  if (!root?.superClass) return undefined;
  const fields = fieldsOf(root, source);
  if (fields.trim() === '') return undefined;
  const decorators = root.decorators
    .filter((decorator) => calledNames(decorator).some((name) => API_DECORATORS.test(name)))
    .map(({ start, end }) => `${source.slice(start, end)}\n`);
  const base = source.slice(root.superClass.start, root.superClass.end);
  const suffix = pascalVersion(identity.version);
  const options = versionOptions(identity, hasPlural);
  const own = `${conversionComment(className)}

${docComment(root, program, source) ?? `/** ${identity.kind} is the schema for the ${identity.plural} API. */`}
@Kind(${options})
${decorators.join('')}export abstract class ${identity.kind}${suffix} extends ${base} {${fields}
}
`;
  const locals = usedDeclarations(program, source, { used: own, className });
  const body = renamed([...locals.values(), own].join('\n\n'), [...locals.keys()], { kind: identity.kind, suffix });
  return `${importsFor(program, body, file)}\n${body}`;
}

/** The decorated properties with their comments. */
function fieldsOf({ body }: Class, source: string): string {
  return body.body
    .map((member, index) => {
      const isField = member.type === 'PropertyDefinition' && member.decorators.length > 0;
      return isField ? source.slice(body.body[index - 1]?.end ?? body.start + 1, member.end) : '';
    })
    .join('');
}

/** The declarations of the module that a text uses, directly or not, in their order and by their names. */
function usedDeclarations(
  { body }: Program,
  source: string,
  { used, className }: { readonly used: string; readonly className: string },
): Map<string, string> {
  const declared = body.flatMap((statement, index) => {
    if (statement.type === 'ImportDeclaration') return [];
    const text = source.slice(body[index - 1]?.end ?? 0, statement.end).trim();
    const [, name = ''] =
      /^(?:export )?(?:abstract )?(?:class|const|function|enum|type|interface) (\w+)/m.exec(text) ?? [];
    return name === '' || name === className ? [] : [{ name, text }];
  });
  const names = new Set<string>();
  for (let text = used; ;) {
    const more = declared.filter(({ name }) => !names.has(name) && mentions(text, name));
    if (more.length === 0) break;
    for (const { name } of more) names.add(name);
    text = more.map((each) => each.text).join('\n');
  }
  return new Map(declared.filter(({ name }) => names.has(name)).map(({ name, text }) => [name, text]));
}

function mentions(text: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(text.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, ''));
}

/** Classes get the version in their names: `PodSetSpec` becomes `PodSetV2Spec`. */
function renamed(
  text: string,
  names: readonly string[],
  { kind, suffix }: { readonly kind: string; readonly suffix: string },
): string {
  const classes = names.filter((name) => new RegExp(`\\bclass ${name}\\b`).test(text));
  return classes.reduce((result, name) => {
    const other = name.startsWith(kind) ? `${kind}${suffix}${name.slice(kind.length)}` : `${name}${suffix}`;
    return replacedInCode(result, name, other);
  }, text);
}

function replacedInCode(text: string, name: string, other: string): string {
  const pattern = new RegExp(`/\\*[^]*?\\*/|//.*|\\b${name}\\b`, 'g');
  return text.replaceAll(pattern, (match) => (match === name ? other : match));
}

/** The doc comment before the class and its decorators. */
function docComment({ decorators: [first], start, end }: Class, { body }: Program, source: string): string | undefined {
  const previous = body.filter((statement) => statement.end < end).at(-1)?.end ?? 0;
  return source
    .slice(previous, first?.start ?? start)
    .match(/\/\*\*[^]*?\*\//g)
    ?.at(-1);
}

/** The imports of the module that a text uses, and `Kind`. */
function importsFor({ body }: Program, text: string, file: string): string {
  const lines = body.flatMap((statement) => {
    if (statement.type !== 'ImportDeclaration') return [];
    const names = statement.specifiers.flatMap((each) => {
      if (each.type !== 'ImportSpecifier' || !mentions(text, each.local.name)) return [];
      const imported = each.imported.type === 'Identifier' ? each.imported.name : each.local.name;
      const name = imported === each.local.name ? imported : `${imported} as ${each.local.name}`;
      return [statement.importKind === 'type' || each.importKind === 'type' ? `type ${name}` : name];
    });
    return names.length === 0
      ? []
      : [`import { ${names.join(', ')} } from '${moduleFrom(statement.source.value, file)}';`];
  });
  return lines.join('\n') + '\n';
}

/** The module as imported from the folder `operators`. */
function moduleFrom(module: string, file: string): string {
  if (!module.startsWith('.')) return module;
  const path = posix.relative('operators', posix.join(posix.dirname(file), module));
  return path.startsWith('.') ? path : `./${path}`;
}
