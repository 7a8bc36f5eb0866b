// A table that is read by a computed name also has inherited members, such as `constructor` and `__proto__`.
import { join } from 'node:path';
import ts from 'typescript';

const CONSTANT = /^[A-Z][A-Z0-9_]*$/;

/** Returns a line for each `TABLE[name]` of `src` where the constant has any names, and the name is any string. */
export function inheritedMembers(root: string): string[] {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, 'tsconfig.json'),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
        throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
      },
    },
  );
  const names = (config?.fileNames ?? []).filter((name) => name.startsWith(join(root, 'src')));
  const program = ts.createProgram(names, { ...config?.options, noEmit: true });
  return program
    .getSourceFiles()
    .filter(({ fileName }) => names.includes(fileName))
    .flatMap((file) => inheritedMembersOf(file, program.getTypeChecker()));
}

function inheritedMembersOf(file: ts.SourceFile, checker: ts.TypeChecker): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isElementAccessExpression(node) && ts.isIdentifier(node.expression) && CONSTANT.test(node.expression.text)) {
      const table = node.expression;
      const isTable = checker.getTypeAtLocation(table).getStringIndexType() !== undefined;
      const isAnyName = checker.typeToString(checker.getTypeAtLocation(node.argumentExpression)) === 'string';
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      if (isTable && isAnyName)
        found.push(`${file.fileName}:${line}: use ownMember(${table.text}, …), or a Map: it has inherited members`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
