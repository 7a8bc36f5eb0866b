import { apiVersionOf } from '../../api/kinds/kind-ref.js';
import type { KubeObject, ReadonlyDeep } from '../../api/objects/kube-object.js';
import { objectKey } from '../../api/objects/object-key.js';
import { processRedactor } from '../../api/access/redaction.js';
import { parseTime } from '../../base/timestamp.js';
import { stringifyYaml } from '../../base/yaml.js';
import type { ConditionHistory } from '../recorder/condition-history.js';
import type { ConditionWire, ObjectDetail } from '../wire.js';
import type { CachedObject, CachedObjects } from '../cached-objects.js';
import { kindId } from '../kind-id.js';
import { conditionLevel, shownConditions } from '../recorder/object-state.js';
import type { ObjectView } from './object-view.js';

/** Keys of a queue in which a waiting reconcile is looked for. */
const SEARCHED_KEYS = 1000;

/** Describes one object; `live` is the whole object if the cache has only a part of it. */
export function objectDetail(
  cached: CachedObject,
  {
    objects,
    rows,
    conditions,
    live,
  }: {
    readonly objects: CachedObjects;
    readonly rows: ObjectView;
    readonly conditions: ConditionHistory;
    readonly live: ReadonlyDeep<KubeObject> | undefined;
  },
): ObjectDetail {
  const { kind, object } = cached;
  const controllers = objects.controllersOf(kindId(kind)).filter(({ cluster }) => cluster === cached.cluster);
  const waiting = waitingOf(
    cached,
    controllers.map(({ item }) => item),
  );
  return {
    row: rows.row(cached),
    yaml: objectYaml(kind, live ?? object),
    ...(kind.part !== undefined && !live && { isPartial: true }),
    conditions: shownConditions(object).map((condition) => conditionWire(condition, object, conditions)),
    controllers: controllers.map(({ item }) => item.name),
    ...(waiting && { waiting }),
  };
}

/** The YAML of an object, redacted and without managedFields, in the order of kubectl. */
export function objectYaml(kind: CachedObject['kind'], object: ReadonlyDeep<KubeObject>): string {
  const { apiVersion = apiVersionOf(kind), kind: name = kind.kind, metadata, ...rest } = object;
  const { managedFields: _, ...kept } = metadata as Record<string, unknown>;
  const defined = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
  return stringifyYaml(processRedactor.redact(kind, { apiVersion, kind: name, metadata: defined, ...rest }));
}

function conditionWire(
  condition: ReturnType<typeof shownConditions>[number],
  object: ReadonlyDeep<KubeObject>,
  history: ConditionHistory,
): ConditionWire {
  const { type, status, reason, message, observedGeneration, lastTransitionTime } = condition;
  const transitionAt = parseTime(lastTransitionTime ?? '');
  return {
    type,
    status,
    level: conditionLevel(condition),
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message: processRedactor.text(message) }),
    ...(observedGeneration !== undefined && { observedGeneration }),
    ...(transitionAt !== undefined && { transitionAt }),
    history: history.of(object.metadata.uid ?? '', type),
  };
}

function waitingOf(
  { object }: CachedObject,
  controllers: readonly {
    readonly name: string;
    queueSnapshot: CachedObjects['controllers'][number]['item']['queueSnapshot'];
  }[],
): ObjectDetail['waiting'] {
  const key = objectKey(object);
  for (const controller of controllers) {
    const { waiting, delayed } = controller.queueSnapshot(SEARCHED_KEYS);
    const due = delayed.oldest.find((queued) => queued.key === key);
    if (due) {
      const { dueInMs, isHeld } = due;
      return { controller: controller.name, dueInMs, ...(isHeld && { isHeldByHotLoop: true }) };
    }
    if (waiting.oldest.some((queued) => queued.key === key)) return { controller: controller.name, dueInMs: 0 };
  }
  return undefined;
}
