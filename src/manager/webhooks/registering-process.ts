import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { KubeObject } from '../../api/objects/kube-object.js';

const ANNOTATION = 'kindwright.dev/process';
const ESRCH = 'ESRCH';

/** The annotation of objects that this process registers for the time of its run. */
export function processAnnotation(): Readonly<Record<string, string>> {
  return { [ANNOTATION]: `${process.pid}@${placeOfProcesses()}` };
}

/**
 * Returns the process that registered an object: `ended` and `may run` if it is one of this machine, `elsewhere` on another
 * machine or in another container; undefined for an object without the annotation.
 */
export function registeringProcess({
  metadata,
}: Pick<KubeObject, 'metadata'>): 'ended' | 'may run' | 'elsewhere' | undefined {
  const annotation = metadata.annotations?.[ANNOTATION];
  if (annotation === undefined) return undefined;
  const [, pid = '', place] = /^(\d+)@(.+)$/s.exec(annotation) ?? [];
  if (place !== placeOfProcesses()) return 'elsewhere';
  return isRunning(Number(pid)) ? 'may run' : 'ended';
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
