/** The headers of each response. The page has no inline script, and a nonce for the styles that its editor adds. */
export function securityHeaders(nonce?: string): Record<string, string> {
  const styles = nonce === undefined ? `'self'` : `'self' 'nonce-${nonce}'`;
  return {
    'content-security-policy': [
      `default-src 'none'`,
      `script-src 'self'`,
      `style-src ${styles}`,
      `connect-src 'self'`,
      `img-src 'self' data:`,
      `base-uri 'none'`,
      `form-action 'none'`,
      `frame-ancestors 'none'`,
      `require-trusted-types-for 'script'`,
      `trusted-types 'none'`,
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}
