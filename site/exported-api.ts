import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '..');

/** The modules of the package, by the path that programs import. `kindwright/definitions` has the types of Kubernetes only. */
const ENTRIES: Readonly<Record<string, string>> = {
  kindwright: 'src/index.ts',
  'kindwright/testing': 'src/testing.ts',
  'kindwright/vite': 'src/vite.ts',
  'kindwright/jest': 'src/jest.ts',
};

/** An export of the package. */
export interface ExportedItem {
  readonly name: string;
  readonly module: string;
  /** The file that declares it, such as `src/resource/decorators/field.ts`. */
  readonly file: string;
  /** Its doc comment in Markdown; empty without one. */
  readonly description: string;
  /** Its declarations, without bodies and private members. */
  readonly code: string;
}

/** Reads the exports of the package from its source. */
export function exportedItems(): ExportedItem[] {
  const files = Object.values(ENTRIES).map((file) => join(root, file));
  const options = {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    skipLibCheck: true,
    types: ['node'],
  };
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  return Object.entries(ENTRIES).flatMap(([module, file]) => {
    const source = program.getSourceFile(join(root, file));
    const symbol = source && checker.getSymbolAtLocation(source);
    return (symbol ? checker.getExportsOfModule(symbol) : []).map((each) => itemOf(checker, module, each));
  });
}

function itemOf(checker: ts.TypeChecker, module: string, exported: ts.Symbol): ExportedItem {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const declarations = symbol.declarations ?? [];
  const signatures = declarations.filter((each) => !isImplementation(each, declarations));
  return {
    name: exported.name,
    module,
    file: declarations[0]?.getSourceFile().fileName.slice(root.length + 1) ?? '',
    description: descriptionOf(checker, symbol),
    code: signatures.map(printDeclaration).join('\n\n'),
  };
}

/** Returns whether the declaration is the body of a function with overloads. */
function isImplementation(declaration: ts.Declaration, all: readonly ts.Declaration[]): boolean {
  const others = all.filter(ts.isFunctionDeclaration);
  return others.length > 1 && ts.isFunctionDeclaration(declaration) && declaration.body !== undefined;
}

function descriptionOf(checker: ts.TypeChecker, symbol: ts.Symbol): string {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  const tags = symbol
    .getJsDocTags(checker)
    .map(({ name, text: parts }) => `- *${name}* ${ts.displayPartsToString(parts).replaceAll('\n', ' ')}`);
  return [text, tags.join('\n')].filter((part) => part !== '').join('\n\n');
}

const printer = ts.createPrinter();

function printDeclaration(declaration: ts.Declaration): string {
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  const { transformed } = ts.transform<ts.Node>(statement, [(context) => (node) => visit(node, context) ?? node]);
  const [node] = transformed;
  const text = node ? printer.printNode(ts.EmitHint.Unspecified, node, declaration.getSourceFile()) : '';
  return text.replace(/^(?:\/\*\*[^]*?\*\/\s*)+/, '').replace(/^export (?:declare )?/, '');
}

/** Leaves out bodies, initial values and private members. */
function visit(node: ts.Node, context: ts.TransformationContext): ts.Node | undefined {
  const { factory } = context;
  if (ts.canHaveModifiers(node) && ts.getCombinedModifierFlags(node as ts.Declaration) & ts.ModifierFlags.Private)
    return undefined;
  if (ts.isFunctionDeclaration(node))
    return factory.updateFunctionDeclaration(
      node,
      node.modifiers,
      node.asteriskToken,
      node.name,
      node.typeParameters,
      node.parameters,
      node.type,
      undefined,
    );
  if (ts.isMethodDeclaration(node))
    return factory.updateMethodDeclaration(
      node,
      node.modifiers?.filter((modifier) => modifier.kind !== ts.SyntaxKind.AsyncKeyword),
      node.asteriskToken,
      node.name,
      node.questionToken,
      node.typeParameters,
      node.parameters,
      node.type,
      undefined,
    );
  if (ts.isConstructorDeclaration(node))
    return factory.updateConstructorDeclaration(node, node.modifiers, node.parameters, undefined);
  if (ts.isGetAccessorDeclaration(node))
    return factory.updateGetAccessorDeclaration(node, node.modifiers, node.name, node.parameters, node.type, undefined);
  if (ts.isVariableDeclaration(node) && node.type)
    return factory.updateVariableDeclaration(node, node.name, node.exclamationToken, node.type, undefined);
  if (ts.isPropertyDeclaration(node) && node.type)
    return factory.updatePropertyDeclaration(node, node.modifiers, node.name, node.questionToken, node.type, undefined);
  return ts.visitEachChild(node, (child) => visit(child, context), context);
}
