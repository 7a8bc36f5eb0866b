import type { Class, ClassElement, Decorator } from 'oxc-parser';
import type { SourceLines } from '../resource/doc-comments.js';

/** Returns the lines of a class, its decorators and its members; undefined for a class without decorators. */
export function sourceLines(
  node: Class,
  {
    path,
    source,
    lineAt,
  }: { readonly path: string; readonly source: string; readonly lineAt: (offset: number) => number },
): SourceLines | undefined {
  const hasDecorators = [node, ...node.body.body].some((part) => 'decorators' in part && part.decorators.length > 0);
  if (!hasDecorators) return undefined;
  const members = node.body.body.flatMap((member): [string, number][] => {
    const name = memberName(member);
    return name === undefined || !('key' in member) ? [] : [[name, lineAt(member.key.start)]];
  });
  const decorators = Map.groupBy(node.decorators, calledDecoratorName);
  const undecorated = node.body.body.flatMap((member): [string, string][] => {
    const name = memberName(member);
    return name === undefined || !isPlainProperty(member) ? [] : [[name, source.slice(member.start, member.end)]];
  });
  return {
    file: path,
    line: lineAt(node.id?.start ?? node.start),
    // of an overloaded method, the first declaration counts
    members: Object.fromEntries(members.reverse()),
    decorators: Object.fromEntries(
      [...decorators].flatMap(([name, uses]) =>
        name === undefined ? [] : [[name, uses.map(({ start }) => lineAt(start))]],
      ),
    ),
    ...(undecorated.length > 0 && { undecorated: Object.fromEntries(undecorated) }),
  };
}

/** Returns true for a property that would hold data of an object if it had a decorator. */
function isPlainProperty(member: ClassElement): boolean {
  if (member.type !== 'PropertyDefinition' || member.decorators.length > 0) return false;
  const { static: isStatic, declare, accessibility, value, typeAnnotation } = member;
  if (isStatic || declare || value !== null || (accessibility ?? 'public') !== 'public') return false;
  return typeAnnotation?.typeAnnotation !== undefined && typeAnnotation.typeAnnotation.type !== 'TSFunctionType';
}

/** Returns the name of a property or method; undefined for computed and private names. */
export function memberName(member: ClassElement): string | undefined {
  if (!('key' in member) || member.computed) return undefined;
  if (member.key.type === 'Identifier') return member.key.name;
  return member.key.type === 'Literal' && typeof member.key.value === 'string' ? member.key.value : undefined;
}

/** Returns the decorator's name: `Owns` for `@Owns(…)`. */
export function calledDecoratorName({ expression }: Decorator): string | undefined {
  const callee = expression.type === 'CallExpression' ? expression.callee : expression;
  return callee.type === 'Identifier' ? callee.name : undefined;
}
