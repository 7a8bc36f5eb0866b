import { invalidValue, type FieldError } from '../../../../api/field-error.js';

/** Problems of a path that has to stay below where it starts. */
export function relativePathErrors(path: string, field: string): FieldError[] {
  const absolute = path.startsWith('/') ? [invalidValue(field, path, 'must be a relative path')] : [];
  return [...absolute, ...backstepErrors(path, field)];
}

/** Problems of a path that may not go up. */
export function backstepErrors(path: string, field: string): FieldError[] {
  return path.split('/').includes('..') ? [invalidValue(field, path, "must not contain '..'")] : [];
}

/** Problems of the path of a file that a volume makes: core's ValidateLocalNonReservedPath. */
export function filePathErrors(path: string, field: string): FieldError[] {
  const isReserved = path.startsWith('..') && !path.startsWith('../');
  return [
    ...relativePathErrors(path, field),
    ...(isReserved ? [invalidValue(field, path, "must not start with '..'")] : []),
  ];
}
