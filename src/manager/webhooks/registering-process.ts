import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { KubeObject } from '../../api/kube-object.js';

const ANNOTATION = 'kindwright.dev/process';
const ESRCH = 'ESRCH';

/** The annotation of objects that this process registers for the time of its run. */
export function processAnnotation(): Readonly<Record<string, string>> {
  return { [ANNOTATION]: `${process.pid}@${placeOfProcesses()}` };
}

/**
 * Returns true if a process of this machine has registered the object and has ended since; false if it may run, on
 * another machine or in another container too.
 */
export function isOfEndedProcess({ metadata }: Pick<KubeObject, 'metadata'>): boolean {
  const [, pid = '', place] = /^(\d+)@(.+)$/s.exec(metadata.annotations?.[ANNOTATION] ?? '') ?? [];
  return place === placeOfProcesses() && !isRunning(Number(pid));
}

/** The host and, on Linux, the namespace in which process ids are unique: containers can have the name of their host. */
function placeOfProcesses(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** A process of another user counts too. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== ESRCH;
  }
}
