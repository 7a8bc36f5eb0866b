/** A JSON patch operation that cannot be applied; the message is that of evanphx/json-patch. */
export class JsonPatchError extends Error {}
