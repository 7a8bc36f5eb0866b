import { expect, test } from '@jest/globals';
import { aggregatedOutcome, aggregatedSubtype } from '../../../src/apiserver/discovery/aggregated-outcome.js';

const FORM = 'g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

test.each([
  [`application/json;${FORM}`, 'json'],
  [`application/yaml;${FORM}`, 'yaml'],
  [`application/vnd.kubernetes.protobuf;${FORM},application/json`, 'vnd.kubernetes.protobuf'],
  [`application/json;${FORM.replace('v2', 'v3')},application/json;${FORM}`, 'json'],
  [`application/json,application/yaml;${FORM}`, undefined],
  [`text/html;${FORM}`, undefined],
  ['*/*', undefined],
  ['', undefined],
])('a client that accepts %j is sent aggregated discovery as %j', (accept, subtype) => {
  expect(aggregatedSubtype(accept)).toBe(subtype);
});

test('aggregated discovery is not sent again to a client that has it', () => {
  const items = [{ metadata: { name: 'apps' }, versions: [] }];
  const sent = aggregatedOutcome(items, 'json', undefined);
  if (sent.type !== 'text') throw new Error('the outcome has no headers');
  expect(sent).toMatchObject({ code: 200, headers: { Vary: 'Accept', 'Cache-Control': 'public' } });
  const etag = sent.headers?.ETag;
  expect(aggregatedOutcome(items, 'json', etag)).toMatchObject({ code: 304, body: '' });
  expect(aggregatedOutcome([...items, ...items], 'json', etag)).toMatchObject({ code: 200 });
});
