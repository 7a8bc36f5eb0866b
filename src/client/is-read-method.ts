/** Returns whether a request with this HTTP method changes nothing on the server. */
export function isReadMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}
