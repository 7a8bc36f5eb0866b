      'no-restricted-globals': ['error', 'setTimeout', 'setInterval', 'Date'],
      'no-restricted-imports': [
        'error',
        ...['node:fs', 'node:fs/promises'].map((name) => ({
          name,
          importNames: ['writeFile', 'writeFileSync'],
          message: 'A full disk would leave a partial file: use writeAtomically.',
        })),
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: { 'no-restricted-globals': 'off' },
  },
  { files: ['src/**/*.tsx'], rules: { complexity: ['error', 15] } }, // most are texts that are there or not
  { files: ['src/base/write-atomically.ts'], rules: { 'no-restricted-imports': 'off' } },
  {
    files: ['src/**/*.ts'],
    rules: {
      'max-params': ['error', { max: 6 }],
      'no-restricted-syntax': [
        'error',
        {
          selector: `TSInterfaceDeclaration[id.name=/(Options|Parts)$/] > TSInterfaceBody[body.length>${MOST_MEMBERS}]`,
          message: `Group the members: at most ${MOST_MEMBERS} can be told apart at a call.`,
    rules: { 'no-restricted-globals': 'off' },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      'no-console': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off', // a test that dereferences nothing fails, as it should
      '@typescript-eslint/unbound-method': 'off', // jest matchers take methods
      '@typescript-eslint/require-await': 'off',
    },
  },
);
