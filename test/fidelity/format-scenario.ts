import type { ApiCall } from './api-endpoint.js';
import { post, widget, widgets } from './scenario-calls.js';

/** Texts that have a format, and texts that nearly have it. */
export const FORMATTED: Readonly<Record<string, readonly string[]>> = {
  bsonobjectid: ['507f1f77bcf86cd799439011', '507f1f77bcf86cd79943901'],
  byte: ['YQ==', 'YQ=', '', 'a-_='],
  cidr: ['10.0.0.0/8', '010.0.0.0/8', '10.0.0.0/33', '::/129', '::/0', '10.0.0.0'],
  creditcard: ['4111-1111-1111-1111', '4111111111111112', '1'],
  date: ['2026-02-28', '2026-02-29', '2024-02-29', '1900-02-29', '2026-13-01', '2026-1-1', '0000-01-01', '2026-04-31'],
  'date-time': [
    '2026-01-01T00:00:00Z',
    '2026-01-01t00:00:00.1z',
    '2026-01-01 00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:00+99:99',
    '2026-01-01T00:00:00,5Z',
    '2026-01-01T00:00:00ZTmore',
  ],
  duration: ['1h', '-1.5h', '1', '0', '22 ns', '1 day', '2 weeks', '3 fortnights', '1h 1x', 'in 5 minutes', '.5s', ''],
  email: ['a@b', 'a', 'A <a@b.c>', '<a@b>', 'a@b@c', 'a b@c'],
  hexcolor: ['#fff', 'FFFFFF', '#ffff'],
  hostname: ['a', 'a.example', 'a..b', '-a', 'a-', 'a_b', 'a.b1', '1', 'é.example'],
  ipv4: ['1.2.3.4', '01.2.3.4', '1.2.3.256', '1.2.3', '::ffff:1.2.3.4', '::1'],
  ipv6: ['::1', '1.2.3.4', '::ffff:1.2.3.4', 'fe80::1%eth0', '1::2::3'],
  isbn: ['0321751043', '978-0321751041', '0321751044'],
  isbn10: ['0-8044-2957-X', '978-0321751041'],
  isbn13: ['978-0321751041', '978-0321751042'],
  'k8s-long-name': ['a.b', 'A', '-a', 'a'],
  'k8s-short-name': ['a', 'a.b', 'A'],
  mac: ['00:00:5e:00:53:01', '00-00-5e-00-53-01', '0000.5e00.5301', '00:00:5e:00:53', '00:00-5e:00:53:01'],
  password: [''],
  rgbcolor: ['rgb(1,2,3)', 'rgb( 255 , 0 , 0 )', 'rgb(256,0,0)'],
  ssn: ['123-45-6789', '123 45 6789', '123-456789', '12-345-6789'],
  uri: [
    'http://a',
    '/a',
    'a',
    '//a',
    'mailto:a',
    'http://a b',
    'http://a/%zz',
    '/a b',
    '',
    'a:b',
    '1:b',
    'http://[::1]:80/',
  ],
  uuid: ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000', '123e4567'],
  uuid3: ['123e4567-e89b-32d3-a456-426614174000', '123e4567-e89b-12d3-a456-426614174000'],
  uuid4: ['123e4567-e89b-42d3-a456-426614174000', '123e4567-e89b-42d3-c456-426614174000'],
  uuid5: ['123e4567-e89b-52d3-a456-426614174000', '123e4567-e89b-42d3-a456-426614174000'],
};

/** Widgets with one formatted text each, never stored. */
export const formatScenario: readonly ApiCall[] = Object.entries(FORMATTED).flatMap(([format, texts]) =>
  texts.map((text) =>
    post(widgets('', '?dryRun=All'), widget('formatted', { size: 1, formatted: { [format]: text } })),
  ),
);
