import { apiVersionOf, toKindRef, type InputOf, type KindLike } from '../../api/kinds/kind-ref.js';
import type { Desired, KubeObject, UnstructuredObject } from '../../api/objects/kube-object.js';
import { deepClone } from '../../base/deep-clone.js';
import { OperatorError } from '../../base/operator-error.js';
import { createMergePatch } from '../../controller/write/create-merge-patch.js';
import { objectText } from '../canonical/canonical-state.js';
import type { WorkloadStep } from '../plan/plan.js';

/** An object that a scenario has created. */
export interface ScenarioObject<K extends KindLike = KindLike> {
  readonly kind: K;
  readonly name: string;
  readonly namespace: string | undefined;
}

/** The actions of the user in a scenario. Each is recorded, and performed in every run. */
export interface ScenarioActions {
  /** Creates an object; without a namespace, in `default`. */
  create<K extends KindLike>(kind: K, object: Desired<InputOf<K>>): ScenarioObject<K>;
  /** Changes an object: the difference is sent as a merge patch. */
  edit<K extends KindLike>(object: ScenarioObject<K>, change: (object: InputOf<K>) => void): void;
  remove(object: ScenarioObject, propagation?: 'Background' | 'Foreground' | 'Orphan'): void;
  /** Lets the next action wait until nothing changes any more; otherwise it follows the answer to the one before. */
  settle(): void;
}

/**
 * Returns the steps of a scenario, which is called once.
 *
 * @throws what the scenario throws; OperatorError (E_SIMULATION) for one without actions, or one that is asynchronous
 */
export function scenarioSteps(scenario: (actions: ScenarioActions) => unknown): WorkloadStep[] {
  const recorder = new ScenarioRecorder();
  const result = scenario(recorder.actions);
  if (result instanceof Object && 'then' in result)
    throw new OperatorError('scenario is asynchronous', {
      code: 'E_SIMULATION',
      hint: 'leave out async and await: actions are recorded and performed in each run; use settle() to wait',
    });
  if (recorder.steps.length > 0) return recorder.steps;
  throw new OperatorError('scenario has no actions', {
    code: 'E_SIMULATION',
    hint: 'call create, edit or remove in it',
  });
}

class ScenarioRecorder {
  readonly steps: WorkloadStep[] = [];
  private readonly objects = new Map<ScenarioObject, UnstructuredObject>();
  private mustSettle = false;

  readonly actions: ScenarioActions = {
    create: (kind, object) => {
      const ref = toKindRef<KubeObject>(kind);
      const { metadata, ...fields } = JSON.parse(JSON.stringify(object)) as UnstructuredObject;
      const namespace = ref.scope === 'Namespaced' ? (metadata.namespace ?? 'default') : undefined;
      const placed = { ...metadata, ...(namespace !== undefined && { namespace }) };
      const created = { apiVersion: apiVersionOf(ref), kind: ref.kind, metadata: placed, ...fields };
      const handle = { kind, name: metadata.name, namespace };
      this.objects.set(handle, created);
      this.add({ do: 'create', object: created });
      return handle;
    },
    edit: (handle, change) => {
      const before = this.find(handle);
      const edited = deepClone(before);
      (change as unknown as (object: UnstructuredObject) => void)(edited);
      const after = JSON.parse(JSON.stringify(edited)) as UnstructuredObject;
      this.objects.set(handle, after);
      this.add({
        do: 'patch',
        object: objectText(before),
        patch: createMergePatch(before, after) ?? {},
      });
    },
    remove: (handle, propagation) => {
      this.add({ do: 'delete', object: objectText(this.find(handle)), ...(propagation && { propagation }) });
    },
    settle: () => {
      this.mustSettle = true;
    },
  };

  private add(step: WorkloadStep): void {
    this.steps.push(this.mustSettle ? { ...step, after: 'quiet' } : step);
    this.mustSettle = false;
  }

  private find(handle: ScenarioObject): UnstructuredObject {
    const object = this.objects.get(handle);
    if (object) return object;
    throw new OperatorError('scenario: the object was not created by create of this scenario', {
      code: 'E_SIMULATION',
      hint: 'pass what create has returned',
    });
  }
}
