import { isJsonObject } from '../objects/api-object.js';

/** Returns whether a value is a valid FieldsV1: names, keys, values and indexes with nested FieldsV1. */
export function isFieldsV1(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    Object.entries(value).every(([element, below]) => element === '.' || (isElement(element) && isFieldsV1(below)))
  );
}

function isElement(element: string): boolean {
  const content = element.slice(2);
  switch (element.slice(0, 2)) {
    case 'f:':
      return true;
    case 'i:':
      return /^-?\d+$/.test(content);
    case 'k:':
      return isJsonObject(parsed(content));
    case 'v:':
      return parsed(content) !== undefined;
    default:
      return false;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
