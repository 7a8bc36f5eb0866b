/** An invalid or unresolvable JSONPath. */
export class JsonPathError extends Error {}
