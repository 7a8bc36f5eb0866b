/** Returns the generated files of a kind: its operator and further versions, and the tests of these. */
export function generatedKindFiles(paths: Iterable<string>, kind: string): string[] {
  const module = `${kind.toLowerCase()}(-v\\d+((alpha|beta)\\d+)?)?`;
  const pattern = new RegExp(`^(operators/${module}\\.ts|test/${module}(-webhooks)?\\.test\\.ts)$`);
  return [...paths].filter((path) => pattern.test(path)).sort();
}
