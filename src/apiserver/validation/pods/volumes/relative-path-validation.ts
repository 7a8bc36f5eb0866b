import { invalidValue, type FieldError } from '../../../../api/protocol/field-error.js';

/** Returns the errors of a path that must be relative and must not leave its base directory. */
export function relativePathErrors(path: string, field: string): FieldError[] {
  const absolute = path.startsWith('/') ? [invalidValue(field, path, 'must be a relative path')] : [];
  return [...absolute, ...backstepErrors(path, field)];
}

/** Returns the errors of a path that must not contain `..`. */
export function backstepErrors(path: string, field: string): FieldError[] {
  return path.split('/').includes('..') ? [invalidValue(field, path, "must not contain '..'")] : [];
}

/** Returns the errors of the path of a file in a volume: core's ValidateLocalNonReservedPath. */
export function filePathErrors(path: string, field: string): FieldError[] {
  const isReserved = path.startsWith('..') && !path.startsWith('../');
  return [
    ...relativePathErrors(path, field),
    ...(isReserved ? [invalidValue(field, path, "must not start with '..'")] : []),
  ];
}
