import { ownMember } from '../../base/own-member.js';
import { OperatorError } from '../../base/operator-error.js';

/** Messages of Go's parser by message of js-yaml. */
const REASONS: Readonly<Partial<Record<string, string>>> = {
  'bad indentation of a mapping entry': 'mapping values are not allowed in this context',
  'expected a document, but the input is empty': 'found character that cannot start any token',
  'unexpected end of the stream within a double quoted scalar': 'found unexpected end of stream',
  'missed comma between flow collection entries': "did not find expected ',' or '}'",
};

/** Returns the error of Go's YAML parser for a YAML syntax error. */
export function yamlSyntaxProblem(error: unknown): string {
  const { reason = 'not YAML' } = (error instanceof OperatorError ? (error.cause ?? {}) : {}) as { reason?: string };
  const unknown = /^unidentified alias "(.*)"$/.exec(reason)?.[1];
  if (unknown !== undefined) return `yaml: unknown anchor '${unknown}' referenced`;
  return `yaml: ${ownMember(REASONS, reason) ?? (reason.startsWith('nesting exceeded') ? 'exceeded max depth of 10000' : reason)}`;
}
