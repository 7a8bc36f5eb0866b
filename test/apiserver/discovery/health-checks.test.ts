import { expect, test } from '@jest/globals';
import { healthAnswer } from '../../../src/apiserver/discovery/health-checks.js';

const textOf = (path: string, query = ''): string | undefined => {
  const outcome = healthAnswer(path, new URLSearchParams(query));
  return outcome?.type === 'text' ? String(outcome.body) : undefined;
};

test.each(['/healthz', '/livez/ping', '/readyz/poststarthook/rbac/bootstrap-roles', '/livez/autoregister-completion'])(
  'the health check %s reports healthy',
  (path) => {
    expect(textOf(path)).toBe('ok');
  },
);

test.each(['/livez/shutdown', '/livez/absent', '/healthzz', '/version'])(
  'the health check %s does not exist',
  (path) => {
    expect(textOf(path)).toBeUndefined();
  },
);

test('verbose health checks are listed, except excluded ones', () => {
  const text = textOf('/readyz', 'verbose&exclude=etcd&exclude=absent') ?? '';
  expect(text).toMatch(/^\[\+\]ping ok\n\[\+\]log ok\n\[\+\]etcd excluded: ok\n/);
  expect(text).toMatch(/warn: some health checks cannot be excluded: no matches for "absent"\nreadyz check passed\n$/);
});
