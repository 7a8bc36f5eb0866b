import type { GeneratedFile } from '../../manifests/output/generated-file.js';
import type { KindSource } from './kind-classes.js';

/** The decorators of methods that review writes. */
export type WebhookDecoratorName = 'Mutate' | 'Validate';

/** The source of a class with methods added to its end, and the names that they need imported. */
export function withWebhooks(target: KindSource, added: readonly WebhookDecoratorName[]): string {
  const { source, end, imports } = target;
  const methods = added.map((decorator) => `\n${METHODS[decorator](target.className)}`).join('');
  const extended = `${source.slice(0, end)}${methods}${source.slice(end)}`;
  const names = [...added, ...(added.includes('Validate') ? ['Review'] : [])];
  const missing = names.filter((name) => !imports?.names.includes(name));
  if (missing.length === 0) return extended;
  const list = missing.map((name) => (name === 'Review' ? 'type Review' : name)).join(', ');
  if (!imports) return `import { ${list} } from 'kindwright';\n${extended}`;
  return `${extended.slice(0, imports.end)}, ${list}${extended.slice(imports.end)}`;
}

const METHODS: Readonly<Record<WebhookDecoratorName, (className: string) => string>> = {
  Mutate: () => `  /** Called before an object is stored. Fill what is absent; what users set must stay as it is. */
  @Mutate() fill(): void {
    this.metadata.labels ??= {};
    this.metadata.labels['app.kubernetes.io/managed-by'] ??= 'kindwright';
  }
`,
  Validate: (
    className,
  ) => `  /** Called before an object is stored, after all changes. Rules on fields alone belong in the schema. */
  @Validate() check(review: Review<${className}>): void {
    if (this.metadata.name.length > 40) review.invalid('metadata.name', 'must have at most 40 characters');
  }
`,
};

/** The test of the methods that `withWebhooks` adds. */
export function webhookTest(
  { className, file, hasSpec }: Pick<KindSource, 'className' | 'file' | 'hasSpec'>,
  added: readonly WebhookDecoratorName[],
  tests: string,
): GeneratedFile {
  const module = moduleOf(file);
  const spec = hasSpec ? `const spec = {} as ${className}['spec'];\n` : '';
  const fields = hasSpec ? ', spec' : '';
  const content = `import { expect, test } from '${tests}';
import { review } from 'kindwright/testing';
import { ${className} } from '../operators/${module}.js';

${spec}${added.map((decorator) => TESTS[decorator](className, fields)).join('\n')}`;
  return { path: webhookTestPath(file), content };
}

/** The path of the test of the webhook methods of a class. */
export function webhookTestPath(file: string): string {
  return `test/${moduleOf(file).replaceAll('/', '-')}-webhooks.test.ts`;
}

function moduleOf(file: string): string {
  return file.replace(/^operators\//, '').replace(/\.ts$/, '');
}

const TESTS: Readonly<Record<WebhookDecoratorName, (className: string, fields: string) => string>> = {
  Mutate: (className, fields) => `test('fills the label of the manager', async () => {
  const { object } = await review(${className}, { object: { metadata: { name: 'a' }${fields} } });
  expect(object.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'kindwright' });
});
`,
  Validate: (className, fields) => `test('refuses a long name', async () => {
  const { allowed, causes } = await review(${className}, { object: { metadata: { name: 'a'.repeat(41) }${fields} } });
  expect(allowed).toBe(false);
  expect(causes).toEqual([{ field: 'metadata.name', message: 'must have at most 40 characters' }]);
});
`,
};
