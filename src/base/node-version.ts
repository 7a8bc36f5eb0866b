/** The oldest supported version of Node. */
export const NEEDED_NODE = '22.19';

/** Returns whether a version of Node is older than the oldest supported one. */
export function isTooOldNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [neededMajor = 0, neededMinor = 0] = NEEDED_NODE.split('.').map(Number);
  return major < neededMajor || (major === neededMajor && minor < neededMinor);
}
