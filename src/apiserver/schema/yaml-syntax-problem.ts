import { OperatorError } from '../../base/operator-error.js';

/** What Go's parser says where js-yaml has other words. */
const REASONS: Readonly<Partial<Record<string, string>>> = {
  'bad indentation of a mapping entry': 'mapping values are not allowed in this context',
  'expected a document, but the input is empty': 'found character that cannot start any token',
  'unexpected end of the stream within a double quoted scalar': 'found unexpected end of stream',
  'missed comma between flow collection entries': "did not find expected ',' or '}'",
};

/** What is wrong with a text that is no YAML, in the words of Go's parser. */
export function yamlSyntaxProblem(error: unknown): string {
  const { reason = 'not YAML' } = (error instanceof OperatorError ? (error.cause ?? {}) : {}) as { reason?: string };
  return `yaml: ${REASONS[reason] ?? reason}`;
}
