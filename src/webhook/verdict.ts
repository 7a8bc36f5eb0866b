import type { AdmissionResponse } from '../api/protocol/admission-review.js';
import { resourceName, type KindRef } from '../api/kinds/kind-ref.js';
import type { Status } from '../api/protocol/status.js';
import { OperatorError } from '../base/operator-error.js';

/** The API server cuts longer warnings once all of them together exceed 4,096 characters. */
const MAX_WARNING = 256;
/** The API server adds the webhook's name and a slash, and rejects keys with a second slash. */
const AUDIT_KEY = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

interface Refusal {
  readonly field: string;
  readonly message: string;
}

/** The decision of the methods of a webhook on a request; empty if it is allowed. */
export class Verdict {
  private readonly refusals: Refusal[] = [];
  private readonly prohibitions: string[] = [];
  private readonly warnings: string[] = [];
  private readonly auditAnnotations: Record<string, string> = {};

  get allowed(): boolean {
    return this.refusals.length === 0 && this.prohibitions.length === 0;
  }

  invalid(field: string, message: string): void {
    this.refusals.push({ field, message });
  }

  forbidden(message: string): void {
    this.prohibitions.push(message);
  }

  /** A warning with a control character, such as a line break, would be dropped by the API server. */
  warn(message: string): void {
    for (const line of message.split(/[\r\n\u2028\u2029]+/)) {
      const text = line.replaceAll(/\p{Cc}/gu, ' ').trim();
      if (text !== '') this.warnings.push(cut(text));
    }
  }

  audit(key: string, value: string): void {
    if (!AUDIT_KEY.test(key))
      throw new OperatorError(`"${key}" is not a valid key of an audit annotation`, {
        code: 'E_AUDIT_KEY',
        hint: 'use 1 to 63 letters, digits, dots, dashes and underscores; the webhook name is added as a prefix',
      });
    this.auditAnnotations[key] = value;
  }

  /** The response without a patch. */
  response(uid: string, kind: KindRef, objectName: string): AdmissionResponse {
    return {
      uid,
      allowed: this.allowed,
      ...(!this.allowed && { status: this.status(kind, objectName) }),
      ...(this.warnings.length > 0 && { warnings: this.warnings }),
      ...(Object.keys(this.auditAnnotations).length > 0 && { auditAnnotations: this.auditAnnotations }),
    };
  }

  private status(kind: KindRef, name: string): Status {
    return this.prohibitions.length > 0 ? this.forbiddenStatus(kind, name) : this.invalidStatus(kind, name);
  }

  private forbiddenStatus(kind: KindRef, name: string): Status {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      code: 403,
      reason: 'Forbidden',
      message: `${resourceName(kind)} "${name}" is forbidden: ${this.prohibitions.join('; ')}`,
      details: { name, group: kind.group, kind: kind.plural },
    };
  }

  /** Has the form in which the API server reports violations of a schema. */
  private invalidStatus({ group, kind }: KindRef, name: string): Status {
    const qualified = group === '' ? kind : `${kind}.${group}`;
    const problems = this.refusals.map(({ field, message }) => `${field}: ${message}`);
    const [first = ''] = problems;
    return {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      code: 422,
      reason: 'Invalid',
      message: `${qualified} "${name}" is invalid: ${problems.length > 1 ? `[${problems.join(', ')}]` : first}`,
      details: {
        name,
        group,
        kind,
        causes: this.refusals.map(({ field, message }) => ({ reason: 'FieldValueInvalid', message, field })),
      },
    };
  }
}

function cut(text: string): string {
  const characters = Array.from(text); // code points, so that no surrogate pair is split
  return characters.length <= MAX_WARNING ? text : `${characters.slice(0, MAX_WARNING - 1).join('')}…`;
}
