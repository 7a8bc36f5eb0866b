import { expect, test } from '@jest/globals';
import { VersionConverter } from '../../../src/apiserver/crd/version-converter.js';
import type { WebhookConversion } from '../../../src/apiserver/crd/webhook-conversion.js';
import type { ApiObject } from '../../../src/apiserver/objects/api-object.js';
import { CallPending } from '../../../src/apiserver/remote/remote-calls.js';

const stored = (name: string): ApiObject => ({ apiVersion: 'example.com/v1', kind: 'Gauge', metadata: { name } });

test('all objects of a list are converted again after the webhook failed for the list', async () => {
  let failure: Error | undefined = new Error('no way');
  const conversion: Pick<WebhookConversion, 'convert'> = {
    convert: (objects, apiVersion) =>
      failure ? Promise.reject(failure) : Promise.resolve(objects.map((object) => ({ ...object, apiVersion }))),
  };
  const converter = new VersionConverter(
    conversion as WebhookConversion,
    'example.com/v2',
    'example.com/v1',
    (object) => object,
  );
  const [first, second] = [stored('first'), stored('second')];
  await converter.prepare([first, second]);
  expect(() => converter.fromStorage(first)).toThrow('no way');
  failure = undefined;
  expect(() => converter.fromStorage(second)).toThrow(CallPending);
  await converter.prepare([first, second]);
  expect([first, second].map((object) => converter.fromStorage(object).apiVersion)).toEqual([
    'example.com/v2',
    'example.com/v2',
  ]);
});
