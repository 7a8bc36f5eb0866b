/** A path that is none, or that comes to what it cannot go on from. */
export class JsonPathError extends Error {}
