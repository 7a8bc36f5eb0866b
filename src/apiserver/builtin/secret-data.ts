import { isJsonObject, objectAt, type ApiObject } from '../objects/api-object.js';

/** Moves the write-only `stringData` of a Secret into `data`, as the real server does when decoding. */
export function foldStringData(secret: ApiObject): void {
  const { stringData } = secret;
  if (!isJsonObject(stringData)) return;
  const encoded = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(String(text)).toString('base64')]);
  secret.data = { ...objectAt(secret, 'data'), ...Object.fromEntries(encoded) };
  delete secret.stringData;
}
