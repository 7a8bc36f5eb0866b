const KUBE_VERSION = /^v(\d+)(?:(alpha|beta)(\d+))?$/;

/** Orders versions as discovery prefers them: GA before beta before alpha, newer first, others last by name. */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [rank(a), rank(b)];
  if (!x || !y) return x ? -1 : y ? 1 : a < b ? -1 : 1;
  return y.stability - x.stability || y.major - x.major || y.minor - x.minor;
}

function rank(version: string): { stability: number; major: number; minor: number } | undefined {
  const match = KUBE_VERSION.exec(version);
  if (!match) return undefined;
  const [, major, stage, minor] = match;
  return {
    stability: stage === undefined ? 2 : stage === 'beta' ? 1 : 0,
    major: Number(major),
    minor: Number(minor ?? 0),
  };
}
