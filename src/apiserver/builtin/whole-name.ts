import { dnsSubdomainErrors } from '../../api/names.js';

/** Problems of a name, and not of what it would be made of: of kinds whose validation has been declared. */
export const wholeNameErrors = (name: string, isPrefix: boolean): string[] =>
  isPrefix ? [] : dnsSubdomainErrors(name);
