import { parseSync, type ClassElement } from 'oxc-parser';
import { classNode } from '../../compiler/class-node.js';
import { lineNumbers } from '../../compiler/line-numbers.js';
import { memberName } from '../../compiler/source-lines.js';

/** A call such as `ctx.apply(Deployment, …)` in a method of a class. */
export interface ContextCall {
  readonly className: string;
  /** The method that contains the call. */
  readonly member: string;
  readonly method: 'apply' | 'create' | 'get' | 'list' | 'watch';
  /** The identifier of the kind. */
  readonly kind: string;
  /** False for `{ owned: false }` and for reads. */
  readonly isOwnedWrite: boolean;
  /** Counted from 1. */
  readonly line: number;
}

type Node = Readonly<Record<string, unknown>> & { readonly type: string };

const METHODS: readonly string[] = ['apply', 'create', 'get', 'list', 'watch'] satisfies ContextCall['method'][];
const CONTEXTS = ['ctx', 'context'];

/**
 * Returns the calls of a context in the classes of a module, in the order of the source. A context is an identifier
 * `ctx` or `context`, or a parameter of type `Context`; the kind must be an identifier.
 */
export function contextCalls(path: string, source: string): ContextCall[] {
  const { program } = parseSync(path, source, { sourceType: 'module', lang: 'ts' });
  const lineAt = lineNumbers(source);
  return program.body.flatMap((statement) => {
    const declared = classNode(statement);
    const className = declared?.id?.name;
    if (!declared || className === undefined) return [];
    return declared.body.body.flatMap((element) =>
      callsIn(element).map(({ start, ...call }) => ({
        className,
        member: memberName(element) ?? '',
        ...call,
        line: lineAt(start),
      })),
    );
  });
}

function callsIn(
  element: ClassElement,
): (Pick<ContextCall, 'method' | 'kind' | 'isOwnedWrite'> & { readonly start: number })[] {
  const nodes = [...nodesOf(element)];
  const contexts = new Set([...CONTEXTS, ...nodes.flatMap((node) => contextParameter(node) ?? [])]);
  return nodes.flatMap((node) => {
    const call = node.type === 'CallExpression' ? contextCall(node, contexts) : undefined;
    return call ? [{ ...call, start: node['start'] as number }] : [];
  });
}

function contextCall(
  { callee, arguments: parameters }: Node,
  contexts: ReadonlySet<string>,
): Pick<ContextCall, 'method' | 'kind' | 'isOwnedWrite'> | undefined {
  const { object, property } = callee as { readonly object?: unknown; readonly property?: unknown };
  const [kind, , options] = parameters as readonly unknown[];
  const method = identifier(property);
  const kindName = identifier(kind);
  if (!contexts.has(identifier(object) ?? '') || !isMethod(method) || kindName === undefined) return undefined;
  const isWrite = method === 'apply' || method === 'create';
  return { method, kind: kindName, isOwnedWrite: isWrite && !isUnowned(options) };
}

function isMethod(name: string | undefined): name is ContextCall['method'] {
  return name !== undefined && METHODS.includes(name);
}

/** Reports whether the options of a write are an object with `owned: false`. */
function isUnowned(options: unknown): boolean {
  if (!isNode(options) || options.type !== 'ObjectExpression') return false;
  return (options['properties'] as readonly Node[]).some(
    ({ key, value }) => identifier(key) === 'owned' && isNode(value) && value['value'] === false,
  );
}

/** The name of a parameter of type `Context`. */
function contextParameter(node: Node): string | undefined {
  const { typeAnnotation: annotation } = node as { readonly typeAnnotation?: { readonly typeAnnotation?: unknown } };
  const type = annotation?.typeAnnotation;
  return isNode(type) && identifier(type['typeName']) === 'Context' ? identifier(node) : undefined;
}

function identifier(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Identifier' ? (node['name'] as string) : undefined;
}

function* nodesOf(value: unknown): Generator<Node> {
  if (isNode(value)) yield value;
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* nodesOf(part);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}
