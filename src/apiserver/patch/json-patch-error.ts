/** An operation of a JSON patch that does not apply, in the words of evanphx/json-patch. */
export class JsonPatchError extends Error {}
