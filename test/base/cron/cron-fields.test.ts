import { expect, test } from '@jest/globals';
import { parseCronFields } from '../../../src/base/cron/cron-fields.js';

test.each(['constructor', 'toString', '__proto__'])(
  'the schedule "%s" is invalid like any other word, although all objects have such a member',
  (text) => {
    expect(() => parseCronFields(text)).toThrow(`expected exactly 5 fields, found 1: [${text}]`);
  },
);
