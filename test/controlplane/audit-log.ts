import { createReadStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

/** One call to the API server, from its audit log. */
export interface AuditEvent {
  readonly user: string;
  readonly verb: string;
  /** With its query. */
  readonly uri: string;
  /** HTTP status of the answer. */
  readonly code: number;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly time: string;
}

/** An event of audit.k8s.io/v1, as far as it is read. */
interface RawEvent {
  auditID: string;
  user: { username: string };
  verb: string;
  requestURI: string;
  requestReceivedTimestamp: string;
  responseStatus?: { code?: number };
  objectRef?: { apiGroup?: string; resource?: string; subresource?: string; namespace?: string; name?: string };
}

const POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata' }],
};

/** The audit log of one API server: every call at level Metadata. */
export class AuditLog {
  private readonly file: string;
  private readonly policyFile: string;
  private start = { size: 0, time: '' };

  constructor(folder: string) {
    this.file = `${folder}/audit.log`;
    this.policyFile = `${folder}/audit-policy.json`;
  }

  async writePolicy(): Promise<void> {
    await writeFile(this.policyFile, JSON.stringify(POLICY));
  }

  get serverArguments(): string[] {
    // Not rotated: a reader continues where another has ended.
    return [`--audit-policy-file=${this.policyFile}`, `--audit-log-path=${this.file}`, '--audit-log-maxsize=100000'];
  }

  /** Leaves out the calls that the server has received so far. */
  async skipPresent(): Promise<void> {
    this.start = { size: (await stat(this.file)).size, time: new Date().toISOString() };
  }

  /** All completed calls, oldest first; a watch that has ended is included once. */
  async events(): Promise<AuditEvent[]> {
    const calls = new Map<string, AuditEvent>();
    const lines = await text(createReadStream(this.file, { start: this.start.size }));
    for (const line of lines.slice(0, lines.lastIndexOf('\n') + 1).split('\n')) {
      if (line === '') continue;
      const raw = JSON.parse(line) as RawEvent;
      // A watch of before can end later.
      if (raw.requestReceivedTimestamp >= this.start.time) calls.set(raw.auditID, simplify(raw));
    }
    return [...calls.values()];
  }
}

export function simplify(raw: RawEvent): AuditEvent {
  const { apiGroup, resource, subresource, namespace, name } = raw.objectRef ?? {};
  return {
    user: raw.user.username,
    verb: raw.verb,
    uri: raw.requestURI,
    code: raw.responseStatus?.code ?? 0,
    time: raw.requestReceivedTimestamp,
    ...(resource !== undefined && { group: apiGroup ?? '', resource }),
    ...(subresource !== undefined && { subresource }),
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && { name }),
  };
}
