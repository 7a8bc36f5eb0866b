import { randomUUID } from 'node:crypto';
import { setCondition, type ConditionLike } from '../../api/condition.js';
import { arrayAt, objectAt, stringAt, type ApiObject } from '../object.js';
import { SYSTEM_USER, type Registry } from '../registry/registry.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import { defaultFlowControl } from './default-flow-control.js';

const GROUP = 'flowcontrol.apiserver.k8s.io';
const [SCHEMAS, LEVELS] = [`flowschemas.${GROUP}`, `prioritylevelconfigurations.${GROUP}`];
const MANAGER = 'api-priority-and-fairness-config-consumer-v1';

/** Says of each FlowSchema whether its priority level is there. */
export class FlowSchemas {
  private readonly unsubscribe: (() => void)[];

  constructor(
    private readonly registry: Registry,
    private readonly resources: ResourceRegistry,
  ) {
    this.unsubscribe = [SCHEMAS, LEVELS].map((name) =>
      registry.store.collection(name).subscribe(() => setImmediate(() => this.reconcile())),
    );
  }

  stop(): void {
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  /** Stores what every cluster has, as it will be found to be. */
  storeDefaults(): void {
    const { store } = this.registry;
    const creationTimestamp = this.registry.now();
    for (const { kind, name, spec } of defaultFlowControl()) {
      const collection = kind === 'FlowSchema' ? SCHEMAS : LEVELS;
      if (store.get(collection, name)) continue;
      const annotations = { 'apf.kubernetes.io/autoupdate-spec': 'true' };
      const metadata = { name, uid: randomUUID(), creationTimestamp, generation: 1, annotations };
      const object: ApiObject = { kind, apiVersion: `${GROUP}/v1`, metadata, spec, status: {} };
      store.put(collection, name, kind === 'FlowSchema' ? { ...object, status: this.statusOf(object) } : object);
    }
  }

  private reconcile(): void {
    const resource = this.resources.find(`${GROUP}/v1`, 'flowschemas');
    for (const { object } of resource ? [...this.registry.store.collection(SCHEMAS).range('')] : []) {
      const [present] = arrayAt(object.status, 'conditions') as ConditionLike[];
      const status = this.statusOf(object);
      if (!resource || present?.message === status.conditions[0]?.message) continue;
      const options = { user: SYSTEM_USER, fieldManager: MANAGER, subresource: 'status' };
      this.registry.update(resource, object.metadata.name, undefined, (old) => ({ ...old, status }), options);
    }
  }

  private statusOf({ spec, status }: ApiObject): { conditions: ConditionLike[] } {
    const level = stringAt(objectAt(spec, 'priorityLevelConfiguration'), 'name');
    const isThere = this.registry.store.get(LEVELS, level) !== undefined;
    const what = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
    const condition = {
      type: 'Dangling',
      status: isThere ? 'False' : 'True',
      reason: isThere ? 'Found' : 'NotFound',
      message: `${what} ${isThere ? 'and it exists' : 'but there is no such object'}`,
    };
    return {
      conditions: setCondition(arrayAt(status, 'conditions') as ConditionLike[], condition, this.registry.now()),
    };
  }
}
