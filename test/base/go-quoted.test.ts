import { expect, test } from '@jest/globals';
import { goQuoted, goTimeQuoted } from '../../src/base/go-quoted.js';

// What Go 1.26 prints for them.
test.each([
  ['plain', '"plain"'],
  ['say "hi" \\ <&>', String.raw`"say \"hi\" \\ <&>"`],
  ['\u0007\b\f\n\r\t\v', String.raw`"\a\b\f\n\r\t\v"`],
  ['\u0000\u001f\u007f', String.raw`"\x00\x1f\x7f"`],
  ['\u0085\u00a0\u00ad\u200b\u2028\ufeff\ue000', String.raw`"\u0085\u00a0\u00ad\u200b\u2028\ufeff\ue000"`],
  ['\u{e0001}\u{10ffff}', String.raw`"\U000e0001\U0010ffff"`],
  ['é漢😀\ufffd', '"é漢😀\ufffd"'],
])('%j is quoted as Go quotes it', (text, quoted) => {
  expect(goQuoted(text)).toBe(quoted);
});

test("errors of Go's package time quote letters beyond ASCII as bytes", () => {
  expect(goTimeQuoted('1é"\\\t\u007f\ufffd')).toBe('"1\\xc3\\xa9\\"\\\\\\x09\u007f\\xef\\xbf\\xbd"');
});
