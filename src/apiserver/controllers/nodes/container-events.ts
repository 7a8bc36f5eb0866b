import { goQuoted } from '../../../base/go-quoted.js';
import { eachObject, objectAt, stringAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import type { Resource } from '../../resources/resource.js';
import { containerPath, type ComponentEventRecorder, type Occurrence } from '../component-event-recorder.js';

/** Records events of the containers of a pod, with the messages of the kubelet. */
export class ContainerEvents {
  constructor(
    private readonly events: ComponentEventRecorder,
    private readonly pods: Resource,
  ) {}

  recordStarted(pod: ApiObject): void {
    this.recordForEach(pod, ({ image }) => [
      {
        reason: 'Pulled',
        message: `Container image ${goQuoted(String(image))} already present on machine and can be accessed by the pod`,
      },
      { reason: 'Created', message: 'Container created' },
      { reason: 'Started', message: 'Container started' },
    ]);
  }

  /** Records that the containers do not start, for a reason such as ImagePullBackOff. */
  recordWaiting(pod: ApiObject, reason: string): void {
    this.recordForEach(pod, (container) => {
      const message = waitingMessage(reason, container);
      return [
        ...(message === undefined ? [] : [{ reason: 'BackOff', message }]),
        { type: 'Warning', reason: 'Failed', message: `Error: ${reason}` },
      ];
    });
  }

  recordCrashed(pod: ApiObject): void {
    this.recordForEach(pod, (container) => {
      const message = `Back-off restarting failed container ${stringAt(container, 'name')} in pod ${described(pod)}`;
      return [{ type: 'Warning', reason: 'BackOff', message }];
    });
  }

  private recordForEach(pod: ApiObject, occurrencesOf: (container: JsonObject) => readonly Occurrence[]): void {
    const host = stringAt(pod.spec, 'nodeName');
    for (const container of eachObject(objectAt(pod, 'spec').containers)) {
      for (const occurrence of occurrencesOf(container))
        this.events.record(this.pods, pod, { ...occurrence, fieldPath: containerPath(container), host });
    }
  }
}

/** Returns the kubelet's message for a waiting reason; undefined if it has none. */
export function waitingMessage(reason: string, container: JsonObject | undefined): string | undefined {
  return reason === 'ImagePullBackOff' ? `Back-off pulling image ${goQuoted(String(container?.image))}` : undefined;
}

/** Returns the kubelet's message for a container that waits for its next restart. */
export function backOffMessage(pod: ApiObject, container: string, backOffMs: number): string {
  return `back-off ${goDuration(backOffMs / 1000)} restarting failed container=${container} pod=${described(pod)}`;
}

function described({ metadata: { name, namespace = '', uid = '' } }: ApiObject): string {
  return `${name}_${namespace}(${uid})`;
}

function goDuration(seconds: number): string {
  return seconds < 60 ? `${seconds}s` : `${Math.trunc(seconds / 60)}m${seconds % 60}s`;
}
