import { without } from '../objects/api-object.js';
import type { Strategy } from '../resources/resource.js';
import { validateFlowSchema, conditionErrors } from '../validation/flow-schema-validation.js';
import { validatePriorityLevel } from '../validation/priority-level-validation.js';
import { objectAlone } from '../validation/update-order.js';
import { statusAlone } from './status-alone.js';

const GROUP = 'flowcontrol.apiserver.k8s.io';

function strategyOf(validate: NonNullable<Strategy['validate']>): Strategy {
  return {
    ...statusAlone,
    // Who writes the status may say of the metadata whatever he likes.
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

/** The kinds of flowcontrol.apiserver.k8s.io. */
export const flowControlStrategies: Readonly<Record<string, Strategy>> = {
  [`flowschemas.${GROUP}`]: strategyOf(validateFlowSchema),
  [`prioritylevelconfigurations.${GROUP}`]: strategyOf(validatePriorityLevel),
};
