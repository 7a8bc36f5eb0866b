import { processRedactor } from '../../api/access/redaction.js';
import type { RingRecord } from '../recorder/log-ring.js';
import type { ShownLine } from '../wire.js';
import { errorDetail } from './error-detail.js';

const OWN_MEMBERS: ReadonlySet<string> = new Set(['controller', 'reconcileID', 'namespace', 'name', 'err']);
const LONGEST_FIELD = 1000;
const LONGEST_MESSAGE = 4000;

/** Describes a line of the log, redacted. */
export function logLine({ seq, at, level, message, fields }: RingRecord): ShownLine {
  const { controller, reconcileID, namespace, name, err } = fields;
  const others = Object.entries(fields).filter(([member, value]) => !OWN_MEMBERS.has(member) && value !== undefined);
  return {
    seq,
    at,
    level,
    message: processRedactor.text(message).slice(0, LONGEST_MESSAGE),
    ...(typeof controller === 'string' && { controller }),
    ...(typeof reconcileID === 'string' && { run: reconcileID }),
    ...(typeof namespace === 'string' && namespace !== '' && { namespace }),
    ...(typeof name === 'string' && { name }),
    fields: Object.fromEntries(others.map(([member, value]) => [member, fieldText(value)])),
    ...(err instanceof Error && { error: errorDetail(err) }),
  };
}

function fieldText(value: unknown): string {
  let text: string;
  try {
    text = typeof value === 'string' ? value : JSON.stringify(processRedactor.redact(NO_KIND, value));
  } catch {
    text = 'a value that JSON cannot represent';
  }
  return processRedactor.text(text).slice(0, LONGEST_FIELD);
}

/** Fields of a line are those of no kind. */
const NO_KIND = { group: '', kind: '' };
