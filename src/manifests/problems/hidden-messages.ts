import { decoratorName, effectOf } from '../../resource/fields/constraint-effect.js';
import { constraintsOf, type Constraint } from '../../resource/fields/constraints.js';
import type { ClassModel } from '../../resource/fields/value-model.js';
import { located } from '../../resource/location.js';
import { lineage } from '../../resource/metadata.js';
import type { ResourceModel } from '../../resource/model.js';
import { classesOf } from './classes-of.js';

/**
 * Warnings about class-validator's option `message` where the text has no effect: the API server writes its own messages
 * for keywords of a schema, and for CEL rules it knows only fixed texts.
 */
export function hiddenMessages({ definesKind, classModel }: ResourceModel): string[] {
  return definesKind ? [...classesOf(classModel)].flatMap(ofClass) : [];
}

function ofClass({ target, fields }: ClassModel): string[] {
  const hidden = lineage(target).flatMap(constraintsOf).filter(isHidden);
  return hidden
    .filter(({ property }) => fields.some(({ name }) => name === property))
    .map((constraint) => {
      const { validation } = effectOf(constraint);
      const name = decoratorName(constraint);
      const problem = validation
        ? `depends on the value: use @XValidation({ rule: ${JSON.stringify(validation.rule)}, messageExpression: '…' })`
        : `is not shown, as the API server writes its own: remove it, or use @XValidation({ rule: '…', message: '…' })`;
      return located({ target, member: constraint.property }, `message of ${name} ${problem} instead of ${name}`);
    });
}

function isHidden(constraint: Constraint): boolean {
  if (constraint.message === undefined || constraint.name === 'nestedValidation') return false;
  const { instead, validation } = effectOf(constraint);
  return instead === undefined && validation?.message === undefined;
}
