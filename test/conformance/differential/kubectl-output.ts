import type { Command } from './kubectl-command.ts';

/** The output and the exit code of a call of kubectl. */
export interface Reply {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uid>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>'],
  [/(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000/g, '<time>'],
  [/\b[EIW]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ (\w+\.go):\d+\]/g, '<log> $1'],
  [/\/tmp\/[\w./-]+/g, '<file>'],
  [/https?:\/\/127\.0\.0\.1:\d+|127\.0\.0\.1:\d+/g, '<server>'],
  [/\b10\.\d+\.\d+\.\d+(:\d+)?\b/g, '<ip>'],
  [/\bweb-[0-9a-z]{6,10}-[0-9a-z]{5}\b/g, 'web-<hash>-<id>'],
  [/\bweb-[0-9a-z]{8,10}\b/g, 'web-<hash>'],
  [/\b(front|keeper)-[0-9a-z]{5}\b/g, '$1-<id>'],
  [/\b3[0-2]\d{3}\/TCP\b/g, '<port>/TCP'],
  [/(pod-template-hash[":= ]+)[0-9a-z]{6,10}/g, '$1<hash>'],
  [/(resource ?version"?:) +"?\d+"?/gi, '$1 <version>'],
  [/(\\"resourceVersion\\+":\\+")\d+/g, '$1<version>'],
  [/\bnodeName: \S+/g, 'nodeName: <node>'],
  [/\bkube-api-access-[0-9a-z]{5}\b/g, 'kube-api-access-<id>'],
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? \+0000/g, '<time>'],
  [/\b(\d+[smhd])+(\d+ms)?\b/g, '<age>'],
  [/<(age|invalid|unknown)>/g, '<age>'],
  [/<age> \(x\d+ over <age>\)/g, '<age>'],
  [/ {2,}|\t+/g, '  '],
  [/-{3,}/g, '---'],
  [/ +$/gm, ''],
];

/** A reply as one text, without what differs between any two clusters. */
export function normalizeReply({ code, stdout, stderr }: Reply, command: Command): string {
  const plain = (text: string): string =>
    REPLACEMENTS.reduce((result, [pattern, replacement]) => result.replaceAll(pattern, replacement), text).trimEnd();
  const text = plain(stdout);
  return [`exit ${String(code)}`, orderedAs(command, text), plain(stderr)].filter((part) => part !== '').join('\n');
}

function orderedAs({ onlyLastLine, isUnordered }: Command, text: string): string {
  const lines = text.split('\n');
  if (onlyLastLine === true) return lines.at(-1) ?? '';
  if (isUnordered !== true) return text;
  return lines
    .filter((line) => line !== '')
    .sort()
    .join('\n');
}

/** The words of a command line, split at spaces; `_` is a space within a word of a schedule. */
export function wordsOf({ args }: Command): string[] {
  return args.split(' ').map((word) => (word.startsWith('--schedule=') ? word.replaceAll('_', ' ') : word));
}

/** The lines in which two texts differ, as `- first` and `+ second`. */
export function differingLines(first: string, second: string): string[] {
  const [left, right] = [first.split('\n'), second.split('\n')];
  return [
    ...left.filter((line) => !right.includes(line)).map((line) => `- ${line}`),
    ...right.filter((line) => !left.includes(line)).map((line) => `+ ${line}`),
  ];
}
