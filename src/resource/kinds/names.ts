/** Validates names of kinds and resources: RFC 1035. */
export function isDns1035Label(text: string): boolean {
  return /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(text) && text.length <= 63;
}

/** Validates names of namespaces: RFC 1123 label. */
export function isDns1123Label(text: string): boolean {
  return /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text) && text.length <= 63;
}

/** Validates names of most objects: RFC 1123 subdomain. */
export function isDns1123Subdomain(text: string): boolean {
  return /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text) && text.length <= 253;
}

/** A key of a label or annotation, or a finalizer: an optional domain, and a name of up to 63 characters. */
export function isQualifiedName(text: string): boolean {
  const slash = text.indexOf('/');
  const name = text.slice(slash + 1);
  if (!/^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(name) || name.length > 63) return false;
  return slash < 0 || isDns1123Subdomain(text.slice(0, slash));
}

/** Validates the value of a label. */
export function isLabelValue(text: string): boolean {
  return text === '' || (/^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(text) && text.length <= 63);
}
