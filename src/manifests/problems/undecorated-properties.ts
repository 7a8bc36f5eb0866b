import { classDocs } from '../../resource/doc-comments.js';
import { isCommonField } from '../../resource/fields/common-fields.js';
import type { ClassModel } from '../../resource/fields/value-model.js';
import { located } from '../../resource/location.js';
import type { ResourceModel } from '../../resource/model.js';
import { classesOf } from './classes-of.js';

/**
 * Warnings about properties of a kind's classes without a decorator: the schema does not contain them, so the API server
 * drops their values. Properties that are no data are private, static, or have a value or a function type.
 */
export function undecoratedProperties({ definesKind, classModel }: ResourceModel): string[] {
  return definesKind ? [...classesOf(classModel)].flatMap(ofClass) : [];
}

function ofClass({ target, fields, undeclared = {}, rules }: ClassModel): string[] {
  if (rules['x-kubernetes-preserve-unknown-fields'] === true) return [];
  return Object.entries(undecorated(target)).flatMap(([member, declaration]) => {
    const isField = fields.some(({ name }) => name === member) || isCommonField(member);
    if (isField || Object.hasOwn(undeclared, member)) return [];
    const property = declaration.replace(/^public /, '').replace(/;$/, '');
    const problem = 'is not in the schema, so the API server drops it; write';
    return [located({ target, member }, `${problem} @Field() ${property}, or private if it is not part of the object`)];
  });
}

/** The declarations of the class and its base classes. */
function undecorated(target: object): Readonly<Record<string, string>> {
  const base: unknown = Object.getPrototypeOf(target);
  const inherited = typeof base === 'function' ? undecorated(base) : {};
  return { ...inherited, ...classDocs(target)?.source?.undecorated };
}
