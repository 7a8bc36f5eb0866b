// Rules of this project that no plugin has, as a plugin for oxlint.

const commentBefore = (sourceCode, node) =>
  sourceCode.getCommentsBefore(node).some(({ type, value }) => type === 'Block' && value.startsWith('*'));

/** Reports exported classes without a doc comment. */
const classComments = {
  create(context) {
    return {
      'ExportNamedDeclaration > ClassDeclaration'(node) {
        const first = [node.parent, ...node.decorators];
        if (first.some((part) => commentBefore(context.sourceCode, part))) return;
        context.report({ node: node.id, message: 'An exported class needs a doc comment.' });
      },
    };
  },
};

/** Reports types in doc comments: the code has them. */
const noCommentTypes = {
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments())
          if (comment.type === 'Block' && /^\*[\s\S]*@(?:param|returns?|throws|type)\s+\{/.test(comment.value))
            context.report({ loc: comment.loc, message: 'The code has the types of a doc comment.' });
      },
    };
  },
};

const noDefaultExports = {
  create(context) {
    return {
      ExportDefaultDeclaration(node) {
        context.report({ node, message: 'Use a named export.' });
      },
    };
  },
};

/** Reports interfaces named …Options or …Parts with too many members. */
const maxMembers = {
  meta: { schema: [{ type: 'integer' }] },
  create(context) {
    const [most] = context.options;
    return {
      TSInterfaceDeclaration({ id, body }) {
        if (!/(?:Options|Parts)$/.test(id.name) || body.body.length <= most) return;
        context.report({ node: id, message: `Group the members: at most ${most} can be told apart at a call.` });
      },
    };
  },
};

// eslint-disable-next-line kindwright/no-default-exports -- oxlint loads the default export
export default {
  meta: { name: 'kindwright' },
  rules: {
    'class-comments': classComments,
    'max-members': maxMembers,
    'no-comment-types': noCommentTypes,
    'no-default-exports': noDefaultExports,
  },
};
