import { Condition, Field, type Job, PrintColumn, type ReadonlyDeep, setReady } from 'kindwright';

export class BackupStatus {
  @Field({ enum: ['Running', 'Complete', 'Failed'] }) @PrintColumn() phase?: 'Running' | 'Complete' | 'Failed';
  @Field({ format: 'date-time' }) completionTime?: string;
  @Field({ items: Condition, listType: 'map', listMapKeys: ['type'] }) conditions?: Condition[];
}

/** Sets the status of a backup to that of its Job. */
export function followJob(status: BackupStatus, job: ReadonlyDeep<Job> | undefined): void {
  const isFailed = job?.status?.conditions?.some(({ type, status }) => type === 'Failed' && status === 'True') ?? false;
  const completionTime = job?.status?.completionTime;
  status.phase = isFailed ? 'Failed' : completionTime === undefined ? 'Running' : 'Complete';
  if (completionTime !== undefined) status.completionTime = completionTime;
  setReady(status, status.phase === 'Complete', status.phase, `the Job of the backup is ${status.phase.toLowerCase()}`);
}
