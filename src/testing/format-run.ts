import type { End, Op, Run, WriteOp } from '../api/reconcile/reconcile-observer.js';

const MAX_STATUS = 160;

/** The outcome of a reconcile, then one line for each of its writes, events and failed reads. Has no times in it. */
export function formatRun({ end, ops }: Run): string[] {
  return [end ? outcomeText(end) : 'still running', ...ops.flatMap((op) => opText(op) ?? [])];
}

function outcomeText({ outcome, error }: End): string {
  switch (outcome) {
    case 'done':
    case 'requeueAfter':
    case 'requeue':
      return 'done';
    case 'failed':
    case 'terminal':
      return `failed: ${firstLine(error)}`;
    case 'aborted':
    case 'timeout':
      return outcome;
  }
}

function opText(op: Op): string | undefined {
  if (op.do === 'event') return `event ${op.type} ${op.reason}: ${op.message}`;
  const isWrite = op.do !== 'get' && op.do !== 'list';
  const result = isWrite ? writeResult(op) : readResult(op.do === 'get' && op.ms !== undefined && !op.found, op);
  const target = op.do === 'list' ? '' : ` ${op.key}`;
  return result === undefined ? undefined : `${op.do} ${op.kind.kind}${target}: ${result}`;
}

function readResult(isMissing: boolean, { error, ms }: Op): string | undefined {
  if (error) return firstLine(error);
  if (ms === undefined) return 'no answer yet';
  return isMissing ? 'not found' : undefined;
}

function writeResult({ before, after, error, isSkipped, ms, ...op }: WriteOp): string {
  if (error) return firstLine(error);
  if (ms === undefined) return 'no answer yet';
  if (isSkipped) return 'unchanged, not sent';
  if (op.do === 'status') return statusText(after);
  const isSame = before !== undefined && before.metadata.resourceVersion === after?.metadata.resourceVersion;
  return isSame ? 'unchanged' : 'ok';
}

function statusText(object: object | undefined): string {
  const { status = {} } = (object ?? {}) as { status?: object };
  const text = JSON.stringify(status);
  return text.length > MAX_STATUS ? `${text.slice(0, MAX_STATUS)}…` : text;
}

function firstLine(error: unknown): string {
  return String(error).split('\n', 1)[0] ?? '';
}

/** The controller and the object of a reconcile, with its cluster if that is not the operator's own. */
export function runSubject({ controller, cluster, key }: Run): string {
  return cluster === undefined ? `${controller} ${key}` : `${controller} ${cluster} ${key}`;
}
