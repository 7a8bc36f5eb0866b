import { keyOf } from '../../../api/objects/object-key.js';
import { controllerOf } from '../../../api/kinds/owner-reference.js';
import { eachObject, objectAt, stringAt, type ApiObject, type JsonObject } from '../../objects/api-object.js';
import { controlledBy, type ClusterClient } from '../cluster-client.js';
import { ComponentEventRecorder } from '../component-event-recorder.js';
import { OwnerLoop } from '../owner-loop.js';
import { ephemeralClaimName } from './claims-of-pod.js';

/** Creates the claims of pods' ephemeral volumes. */
export class EphemeralVolumeController {
  private readonly loop: OwnerLoop;
  private readonly pods;
  private readonly claims;
  private readonly events;

  constructor(private readonly client: ClusterClient) {
    this.pods = client.resource('v1', 'pods');
    this.claims = client.resource('v1', 'persistentvolumeclaims');
    this.events = new ComponentEventRecorder(client, 'ephemeral_volume');
    this.loop = new OwnerLoop(client, this.pods, [this.claims], (pod) => this.reconcile(pod));
  }

  stop(): void {
    this.loop.stop();
  }

  private reconcile(pod: ApiObject): void {
    for (const volume of eachObject(objectAt(pod, 'spec').volumes))
      if (volume.ephemeral !== undefined) this.ensureClaim(pod, volume);
  }

  private ensureClaim(pod: ApiObject, volume: JsonObject): void {
    const { namespace = '', uid } = pod.metadata;
    const name = ephemeralClaimName(pod, volume);
    const present = this.client.get(this.claims, keyOf(name, namespace));
    const { metadata, spec } = objectAt(objectAt(volume, 'ephemeral'), 'volumeClaimTemplate');
    if (!present) {
      const { labels, annotations } = objectAt({ metadata }, 'metadata');
      const ownerReferences = [controlledBy(this.pods, pod)];
      this.client.create(this.claims, { metadata: { name, namespace, labels, annotations, ownerReferences }, spec });
    } else if (controllerOf(present)?.uid !== uid) {
      const problem = `PVC ${namespace}/${name} was not created for pod ${namespace}/${pod.metadata.name} (pod is not owner)`;
      const message = `ephemeral volume ${stringAt(volume, 'name')}: ${problem}`;
      this.events.record(this.pods, pod, { reason: 'FailedBinding', message, type: 'Warning' });
    }
  }
}
