import { goQuoted } from '../../base/go-quoted.js';
import type { ApiObject } from '../objects/api-object.js';
import { TypeMismatch } from '../schema/decode-report.js';
import { TEMPLATE_GENERATION } from '../objects/template-generation.js';

const ROLLBACK = 'deprecated.deployment.rollback.to';

/** Refuses annotations that hold a number which the server keeps in a field of its own, and that is none. */
export function checkAnnotatedNumbers(struct: string, { metadata: { annotations = {} } }: ApiObject): void {
  const [generation, revision = ''] = [annotations[TEMPLATE_GENERATION], annotations[ROLLBACK]];
  if (struct === 'apps/v1.DaemonSet' && generation !== undefined) {
    const problem = integerProblem(generation);
    if (problem !== undefined) throw new TypeMismatch(problem);
  }
  const problem = struct === 'apps/v1.Deployment' && revision !== '' ? integerProblem(revision) : undefined;
  if (problem !== undefined)
    throw new TypeMismatch(`failed to parse annotation[${ROLLBACK}]=${revision} as int64: ${problem}`);
}

/** strconv.ParseInt. */
function integerProblem(text: string): string | undefined {
  const said = (why: string): string => `strconv.ParseInt: parsing ${goQuoted(text)}: ${why}`;
  if (!/^[+-]?\d+$/.test(text)) return said('invalid syntax');
  const number = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, number) === number ? undefined : said('value out of range');
}
