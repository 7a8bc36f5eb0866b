// ESLint rule: a table that is read by a computed name also has inherited members, such as `constructor` and `__proto__`.

const CONSTANT = /^[A-Z][A-Z0-9_]*$/;

/** Reports `TABLE[name]` for a constant with any names, and a name that is any string. */
export const ownMembers = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { inherited: '{{table}} has inherited members: use ownMember({{table}}, …), or a Map.' },
  },
  create(context) {
    const { program, esTreeNodeToTSNodeMap } = context.sourceCode.parserServices;
    const checker = program.getTypeChecker();
    const typeOf = (node) => checker.getTypeAtLocation(esTreeNodeToTSNodeMap.get(node));
    return {
      MemberExpression({ computed, object, property }) {
        if (!computed || object.type !== 'Identifier' || !CONSTANT.test(object.name)) return;
        const isTable = typeOf(object).getStringIndexType() !== undefined;
        const isAnyName = checker.typeToString(typeOf(property)) === 'string';
        if (isTable && isAnyName)
          context.report({ node: property, messageId: 'inherited', data: { table: object.name } });
      },
    };
  },
};
