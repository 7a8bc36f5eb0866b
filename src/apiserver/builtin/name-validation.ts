import { dnsSubdomainErrors } from '../../api/objects/names.js';

/** Errors of a name; a generateName is not validated. For kinds with declarative validation. */
export const fullNameErrors = (name: string, isPrefix: boolean): string[] => (isPrefix ? [] : dnsSubdomainErrors(name));
