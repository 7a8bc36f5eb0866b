import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  containsIp,
  containsIpNetwork,
  formatIp,
  hostBits,
  isMappedIp,
  parseIp,
  parseIpNetwork,
  parseLenientIp,
  parseLenientIpNetwork,
  unmappedIp,
} from '../../../src/api/schema/ip-address.js';

describe('parseIp', () => {
  test.each([
    ['1.2.3.4', { bits: 0x01020304n, width: 32 }],
    ['::', { bits: 0n, width: 128 }],
    ['1::', { bits: 1n << 112n, width: 128 }],
    ['::1.2.3.4', { bits: 0x01020304n, width: 128 }],
    ['2001:DB8::1', { bits: (0x20010db8n << 96n) | 1n, width: 128 }],
  ])('parseIp accepts %s', (text, address) => {
    expect(parseIp(text)).toEqual(address);
  });

  test.each([
    '',
    '1.2.3',
    '1.2.3.256',
    '01.2.3.4',
    '1::2::3',
    '00001::',
    '::1.02.3.4',
    'fe80::1%eth0',
    '[::1]',
    'a.b.c.d',
  ])('parseIp rejects "%s"', (text) => {
    expect(parseIp(text)).toBeUndefined();
  });

  test.each([
    ['0001.02.3.04', '1.2.3.4'],
    ['00001::2', '1::2'],
    ['::1.02.3.4', '::1.2.3.4'],
    ['0:00:000::00', '::'],
  ])('parseIp accepts the leading zeros of %s if the syntax allows them', (text, strict) => {
    expect(parseIp(text, { allowsLeadingZeros: true })).toEqual(parseIp(strict));
    expect(parseLenientIp(text)).toEqual(parseIp(strict));
  });

  test('parseIp accepts the addresses that formatIp returns', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }),
        fc.bigInt({ min: 0n, max: 0xffffffffn }),
        (six, four) => {
          const addresses = [
            { bits: six, width: 128 as const },
            { bits: four, width: 32 as const },
          ];
          for (const address of addresses) expect(parseIp(formatIp(address))).toEqual(address);
        },
      ),
    );
  });
});

test('formatIp writes IPv6 addresses in the form of RFC 5952, like the URL parser', () => {
  const group = fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 0xffffn }));
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const bits = groups.reduce((all, one) => (all << 16n) | one, 0n);
      const full = groups.map((one) => one.toString(16)).join(':');
      expect(`[${formatIp({ bits, width: 128 })}]`).toBe(new URL(`http://[${full}]`).hostname);
    }),
  );
});

describe('parseIpNetwork', () => {
  test.each(['', '1.2.3.4', '1.2.3.4/', '1.2.3.4/33', '::/129', '1.2.3.4/08', '1.2.3.4/8/8', '/8'])(
    'parseIpNetwork rejects "%s"',
    (text) => {
      expect(parseIpNetwork(text)).toBeUndefined();
    },
  );

  test('parseIpNetwork accepts leading zeros only in the lenient syntax', () => {
    expect(parseLenientIpNetwork('010.0.0.0/008')).toEqual(parseIpNetwork('10.0.0.0/8'));
    expect(parseLenientIpNetwork('1.2.3.4/033')).toBeUndefined();
  });
});

test('an IPv4-mapped address is recognized in every notation', () => {
  for (const text of ['::ffff:1.2.3.4', '::FFFF:102:304', '0:0:0:0:0:ffff:1.2.3.4']) {
    expect(isMappedIp(parseIp(text)!)).toBe(true);
    expect(unmappedIp(parseIp(text)!)).toEqual(parseIp('1.2.3.4'));
  }
  expect(isMappedIp(parseIp('::ffff:1')!)).toBe(false);
});

test.each([
  ['10.0.0.0/8', '10.255.0.1', true],
  ['10.0.0.0/8', '11.0.0.1', false],
  ['::/0', '10.0.0.1', false],
  ['2001:db8::/32', '2001:db8:ffff::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
])('containsIp of %s and %s is %s', (network, address, expected) => {
  expect(containsIp(parseIpNetwork(network)!, parseIp(address)!)).toBe(expected);
});

test('containsIpNetwork accepts equal and smaller networks', () => {
  const network = parseIpNetwork('10.0.0.0/8')!;
  const isIn = (text: string): boolean => containsIpNetwork(network, parseIpNetwork(text)!);
  expect(['10.0.0.0/8', '10.1.0.0/16', '0.0.0.0/0', '11.0.0.0/16'].map(isIn)).toEqual([true, true, false, false]);
});

test('hostBits returns the bits beyond the prefix', () => {
  expect(hostBits(parseIpNetwork('10.0.1.2/16')!)).toBe(0x0102n);
});
