import { isJsonObject, numberAt, objectAt, type ApiObject, type JsonObject } from '../objects/api-object.js';
import { ensureObject, setDefaults } from '../objects/set-defaults.js';

/** A FlowSchema comes after those that say when they do. */
export function defaultFlowSchema(object: ApiObject): void {
  setNumber(ensureObject(object, 'spec'), 'matchingPrecedence', 1000);
}

/** A PriorityLevelConfiguration has shares, and queues where it queues. */
export function defaultPriorityLevel({ spec }: ApiObject): void {
  const { exempt, limited } = objectAt({ spec }, 'spec');
  if (isJsonObject(exempt)) setDefaults(exempt, { nominalConcurrencyShares: 0, lendablePercent: 0 });
  if (!isJsonObject(limited)) return;
  setDefaults(limited, { nominalConcurrencyShares: 30, lendablePercent: 0 });
  const { queuing } = objectAt(limited, 'limitResponse');
  if (!isJsonObject(queuing)) return;
  setNumber(queuing, 'handSize', 8);
  setNumber(queuing, 'queues', 64);
  setNumber(queuing, 'queueLengthLimit', 50);
}

/** Nothing counts as not said. */
function setNumber(target: JsonObject, name: string, value: number): void {
  if ((numberAt(target, name) ?? 0) === 0) target[name] = value;
}
