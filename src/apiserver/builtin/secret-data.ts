import { isJsonObject, objectAt, type ApiObject } from '../objects/api-object.js';

/** Moves a Secret's write-only `stringData` into `data`, as reading it does on the real server. */
export function foldStringData(secret: ApiObject): void {
  const { stringData } = secret;
  if (!isJsonObject(stringData)) return;
  const encoded = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(String(text)).toString('base64')]);
  secret.data = { ...objectAt(secret, 'data'), ...Object.fromEntries(encoded) };
  delete secret.stringData;
}
