import { join } from 'node:path';
import jsdoc from 'eslint-plugin-jsdoc';
import tseslint from 'typescript-eslint';
import { ownMembers } from './own-members.mjs';

const ownRules = {
  'max-lines': ['error', { max: 300 }],
  complexity: ['error', 10],
  eqeqeq: ['error', 'smart'],
  'no-console': 'error',
  'no-duplicate-imports': 'error', // types and values of a module in one statement
  'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
  '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
  '@typescript-eslint/no-invalid-void-type': 'off', // a reconcile may return nothing: Promise<Result | void>
  '@typescript-eslint/no-extraneous-class': 'off', // the operator's classes carry decorators, not members
  '@typescript-eslint/no-unsafe-class-instance-assignment': 'off', // an annotated class describes data: a literal of its shape is as good
  '@typescript-eslint/unified-signatures': 'off', // overloads are written one by one for their doc comments
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  '@typescript-eslint/no-non-null-assertion': 'error',
  '@typescript-eslint/prefer-readonly': 'error',
};

/** Each is one protocol or one algorithm, which would be harder to follow in parts. */
const longFiles = [
  'src/cli/commands/operator-flags.ts', // the one table of flags of run-operator
  'src/controller/kind-controller.ts', // the life cycle of a controller
  'src/controller/reconcile/reconciler.ts', // one reconcile, from the read to the status
  'src/controller/workers.ts', // one key, from the queue to its next delay
  'src/simulation/world/exchange.ts', // one request, from the client to its answer
  'src/simulation/world/running-plan.ts', // the phases of one run
  'src/simulation/world/world.ts', // the time and the server of one run
];

const MOST_MEMBERS = 12;

/** The options and parts that have more members, with the reason. */
const largeOptions = [
  'src/cli/write-or-check-manifests.ts', // the flags of generate-manifests
  'src/console/console-parts.ts', // what the requests of the console read, each from another part of the manager
  'src/controller/kind-controller-options.ts', // what a controller shares with others
  'src/manager/manager-options.ts', // the flags of run-operator
  'src/manifests/operator.ts', // the flags of generate-manifests
  'src/resource/decorators/controller.ts', // the settings of a controller
  'src/resource/decorators/field-options.ts', // the keywords of a schema
  'src/resource/decorators/kind.ts', // the members of a CRD
  'src/webhook/webhook-server.ts', // the listener, its certificate and what it serves
];

export default tseslint.config(
  {
    ignores: ['dist/', 'node_modules/', '**/fixtures/**', 'test/manifests/golden/', 'test/simulation/{mutants,sound}/'],
  }, // mutants have bugs
  {
    files: ['src/**/*.{ts,tsx}', 'operators/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    plugins: { jsdoc },
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: join(import.meta.dirname, '..', '..') },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: ownRules,
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    rules: {
      'jsdoc/require-jsdoc': [
        'error',
        { publicOnly: true, checkConstructors: false, require: { FunctionDeclaration: false, ClassDeclaration: true } },
      ],
      'jsdoc/check-tag-names': 'error',
      'jsdoc/no-types': 'error',
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
    plugins: { kindwright: { rules: { 'own-members': ownMembers } } },
    rules: { 'kindwright/own-members': 'error' },
  },
  {
    files: ['src/console/ui/**'], // runs in a browser, whose clock it has
    rules: { 'no-restricted-globals': 'off' },
  },
  {
    files: ['src/simulation/world/{globals,simulate-plan,world}.ts'], // replace real time, or watch over it
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
        },
      ],
    },
  },
  { files: largeOptions, rules: { 'no-restricted-syntax': 'off' } },
  { files: ['src/apiserver/embedded-api-server.ts'], rules: { 'max-params': 'off' } }, // a private constructor
  { files: longFiles, rules: { 'max-lines': ['error', { max: 400 }] } },
  { files: ['test/**/*.ts'], rules: { 'max-lines': ['error', { max: 400 }] } }, // one suite per file of src/
  { files: ['src/resource/definitions/kubernetes-definitions.ts'], rules: { 'max-lines': 'off' } }, // one list, generated
  {
    files: ['src/base/**/*.ts', 'src/apiserver/**/*.ts', 'src/crd/**/*.ts'],
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
