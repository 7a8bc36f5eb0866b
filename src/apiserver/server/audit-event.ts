import type { RequestInfo } from '../../api/access/request-info.js';
import type { Status } from '../../api/protocol/status.js';
import { userInfo } from '../objects/user-info.js';
import type { ApiRequest } from '../transport/request/api-request.js';

/** audit.k8s.io/v1 Event of an answered request, at level Metadata. */
export interface AuditEvent {
  readonly kind: 'Event';
  readonly apiVersion: 'audit.k8s.io/v1';
  readonly level: 'Metadata';
  readonly auditID: string;
  /** Watches are audited at both stages. */
  readonly stage: 'ResponseStarted' | 'ResponseComplete';
  readonly requestURI: string;
  readonly verb: string;
  readonly user: {
    readonly username: string;
    readonly uid?: string;
    readonly groups: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  readonly sourceIPs: readonly string[];
  readonly userAgent?: string;
  readonly objectRef?: {
    readonly resource: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
    readonly apiVersion: string;
    readonly subresource?: string;
  };
  readonly responseStatus: Partial<Status> & { readonly metadata: object; readonly code: number };
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  /** Annotations of webhooks, by `<webhook>/<key>`. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** The result of a request. */
export interface Answer {
  /** The same for all stages of a request. */
  readonly auditID: string;
  readonly stage: AuditEvent['stage'];
  readonly code: number;
  /** The error of a failed request. */
  readonly status: Status | undefined;
  /** The name of the object when the path does not contain it. */
  readonly name: string;
  readonly receivedMs: number;
  readonly stageMs: number;
}

export function auditEvent(request: ApiRequest, answer: Answer): AuditEvent {
  const { user, info, message, annotations } = request;
  const { auditID, stage, code, status, receivedMs, stageMs } = answer;
  const userAgent = message.headers['user-agent'];
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'Metadata',
    auditID,
    stage,
    requestURI: message.url ?? '/',
    verb: info.verb,
    user: userInfo(user),
    sourceIPs: [message.socket.remoteAddress ?? ''],
    ...(userAgent !== undefined && { userAgent }),
    ...(info.isResource && { objectRef: objectRef(info, answer.name) }),
    responseStatus: { metadata: {}, ...(status && failureOf(status)), code },
    requestReceivedTimestamp: microTime(receivedMs),
    stageTimestamp: microTime(stageMs),
    annotations,
  };
}

function failureOf({ status, message, reason, details }: Status): Partial<Status> {
  return {
    ...(status !== undefined && { status }),
    ...(message !== undefined && { message }),
    ...(reason !== undefined && { reason }),
    ...(details && { details }),
  };
}

function objectRef(info: RequestInfo, knownName: string): NonNullable<AuditEvent['objectRef']> {
  const { plural, namespace, group, apiVersion, subresource } = info;
  const name = info.name || knownName;
  return {
    resource: plural,
    ...(namespace !== undefined && { namespace }),
    ...(name !== '' && { name }),
    ...(group !== '' && { apiGroup: group }),
    apiVersion: apiVersion.split('/').at(-1) ?? '',
    ...(subresource !== '' && { subresource }),
  };
}

/** Formats a time as metav1.MicroTime. */
function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}
