/** RFC 1035: what names of kinds and resources are made of. */
export function isDns1035Label(text: string): boolean {
  return /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(text) && text.length <= 63;
}

/** RFC 1123: what names of namespaces are made of. */
export function isDns1123Label(text: string): boolean {
  return /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text) && text.length <= 63;
}

/** RFC 1123: what names of most objects are made of. */
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

/** What a label may hold. */
export function isLabelValue(text: string): boolean {
  return text === '' || (/^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(text) && text.length <= 63);
}
