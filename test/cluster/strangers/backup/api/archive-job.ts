import type { Desired, Job } from 'kindwright';

/** A Job that runs a command of the archiver with the files of a claim. */
export function archiveJob(name: string, claim: string, ...args: string[]): Desired<Job> {
  const volumeMounts = [{ name: 'files', mountPath: '/files', readOnly: true }];
  const container = { name: 'archiver', image: process.env['ARCHIVER'] ?? 'archiver', args, volumeMounts };
  const volumes = [{ name: 'files', persistentVolumeClaim: { claimName: claim } }];
  const template = { spec: { restartPolicy: 'Never', containers: [container], volumes } };
  return { metadata: { name }, spec: { backoffLimit: 2, template } };
}
