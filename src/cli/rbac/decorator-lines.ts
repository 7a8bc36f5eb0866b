import { parseSync, type Decorator, type Program } from 'oxc-parser';
import { classNode } from '../../compiler/class-node.js';
import { positionAt } from '../../compiler/source-excerpt.js';
import { calledDecoratorName } from '../../compiler/source-lines.js';

/** A decorator of a class, and the line it begins on, counted from 1. */
export interface DecoratorLine {
  readonly name: string;
  readonly line: number;
}

/** The decorators of a module's top-level classes and of their members, in the order of the source, by class. */
export function decoratorLines(path: string, source: string): ReadonlyMap<string, readonly DecoratorLine[]> {
  const { program } = parseSync(path, source, { sourceType: 'module', lang: 'ts' });
  return new Map(
    classesOf(program).map(({ name, decorators }) => [
      name,
      decorators.flatMap((decorator) => {
        const called = calledDecoratorName(decorator);
        return called === undefined ? [] : [{ name: called, line: positionAt(source, decorator.start).line }];
      }),
    ]),
  );
}

function classesOf({ body }: Program): { readonly name: string; readonly decorators: readonly Decorator[] }[] {
  return body.flatMap((statement) => {
    const node = classNode(statement);
    if (!node?.id) return [];
    const ofMembers = node.body.body.flatMap((member) => ('decorators' in member ? member.decorators : []));
    return [{ name: node.id.name, decorators: [...node.decorators, ...ofMembers] }];
  });
}
