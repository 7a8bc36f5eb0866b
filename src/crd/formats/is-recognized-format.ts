import { formatsOf } from '../../api/formats.js';
import { STRING_FORMATS } from './string-formats.js';

/** Whether the API server knows a format for values of a type, rather than letting all values stand. */
export function isRecognizedFormat(type: string, format: string): boolean {
  if (type === '' || type === 'string') return STRING_FORMATS.has(format.replaceAll('-', ''));
  return formatsOf(type).includes(format);
}
