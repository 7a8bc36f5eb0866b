import { goQuoted } from '../../base/go-quoted.js';
import { UNTYPED, type MergeList, type MergeType } from '../schema/merge-type.js';
import { patchFailure } from './merge-directives.js';

const ATOMIC = { type: 'list', listType: 'atomic', keys: [], item: UNTYPED, patchStrategy: '', mergeKey: '' } as const;

/** Returns the type of a member that is in both object and patch: LookupPatchMetadataForStruct. */
export function memberType(type: MergeType, name: string): MergeType {
  if (type.type === 'untyped') {
    if (type.isWhole === true) throw unknownField('RawExtension', name);
    return UNTYPED;
  }
  if (type.type !== 'map') return UNTYPED;
  if (type.structName === undefined)
    throw patchFailure('merging an object in json but data type is not struct, instead is: map');
  const member = type.field(name);
  if (!member || type.isStructField?.(name) === false) throw unknownField(type.structName, name);
  return member;
}

/** Returns the type of a list member. */
export function listField(type: MergeType, name: string): MergeList {
  const member = memberType(type, name);
  if (member.type === 'list') return member;
  if (member.type === 'untyped' && member.isWhole !== true) return ATOMIC;
  throw patchFailure('expected slice or array type, but got: struct');
}

/** Returns `merge`, `replace` or an empty string. */
export function strategyOf(type: MergeType): string {
  const strategies = 'patchStrategy' in type ? type.patchStrategy.split(',') : [];
  return strategies.find((strategy) => strategy !== 'retainKeys') ?? '';
}

function unknownField(struct: string, name: string): Error {
  return patchFailure(`unable to find api field in struct ${struct} for the json field ${goQuoted(name)}`);
}
