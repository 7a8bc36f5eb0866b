import { parseSync, type Class } from 'oxc-parser';
import { classNode } from '../../compiler/class-node.js';
import { calledNames } from './kind-classes.js';

/** Names of kindwright that only webhook methods need. */
const NAMES = ['Mutate', 'Validate', 'Review'];

/** Returns the source of a class without its methods with `@Mutate` and `@Validate`, and without unused imports of these. */
export function withoutWebhooks(file: string, source: string, className: string): string {
  const { program } = parseSync(file, source, { sourceType: 'module', lang: 'ts' });
  const nodes = program.body.flatMap((statement) => classNode(statement) ?? []);
  const node = nodes.find(({ id }) => id?.name === className);
  if (!node) return source;
  const rest = methodRanges(node).reduceRight((text, [start, end]) => text.slice(0, start) + text.slice(end), source);
  return rest.replace(/^import \{([^}]*)\} from 'kindwright';$/m, (statement: string, list: string) => {
    const isUsed = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(rest.replace(statement, ''));
    const specifiers = list.split(',').map((each) => each.trim());
    const kept = specifiers.filter(
      (each) => !NAMES.includes(each.replace('type ', '')) || isUsed(each.replace('type ', '')),
    );
    return kept.length === specifiers.length ? statement : `import { ${kept.join(', ')} } from 'kindwright';`;
  });
}

/** The methods with their comments and the blank line before them: from the end of the previous member. */
function methodRanges({ body }: Class): [number, number][] {
  return body.body.flatMap((member, index) => {
    const names = 'decorators' in member ? member.decorators.flatMap(calledNames) : [];
    if (!names.some((name) => name === 'Mutate' || name === 'Validate')) return [];
    return [[body.body[index - 1]?.end ?? body.start + 1, member.end]];
  });
}
