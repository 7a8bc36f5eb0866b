import { without, isJsonObject, numberAt, objectAt, type ApiObject, type JsonObject } from '../objects/api-object.js';
import type { Strategy } from '../resources/resource.js';
import { validateFlowSchema, conditionErrors } from '../validation/flow-schema-validation.js';
import { validatePriorityLevel } from '../validation/priority-level-validation.js';
import { objectAlone } from '../validation/update-order.js';
import { statusStrategy } from './status-strategy.js';
import { ensureObject, setDefaults } from '../objects/set-defaults.js';

const GROUP = 'flowcontrol.apiserver.k8s.io';

function strategyOf(validate: NonNullable<Strategy['validate']>): Strategy {
  return {
    ...statusStrategy,
    // Metadata in a status update is ignored, except for managed fields.
    prepareForUpdate(next, old, subresource) {
      if (subresource !== 'status') return;
      const { managedFields } = next.metadata;
      next.metadata = { ...without(old.metadata, 'managedFields'), ...(managedFields && { managedFields }) };
    },
    metadataChecks: 'own',
    hasGeneration: true,
    validate,
    validateUpdate: objectAlone([validate], (next, _old, subresource) =>
      subresource === 'status' ? conditionErrors(next) : [],
    ),
  };
}

/** Strategies of the kinds of flowcontrol.apiserver.k8s.io. */
export const flowControlStrategies: Readonly<Record<string, Strategy>> = {
  [`flowschemas.${GROUP}`]: strategyOf(validateFlowSchema),
  [`prioritylevelconfigurations.${GROUP}`]: strategyOf(validatePriorityLevel),
};

/** Sets the default precedence of a FlowSchema. */
export function defaultFlowSchema(object: ApiObject): void {
  setNumber(ensureObject(object, 'spec'), 'matchingPrecedence', 1000);
}

/** Sets the default shares of a PriorityLevelConfiguration, and those of its queues. */
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

/** Sets a number that is missing or zero. */
function setNumber(target: JsonObject, name: string, value: number): void {
  if ((numberAt(target, name) ?? 0) === 0) target[name] = value;
}
