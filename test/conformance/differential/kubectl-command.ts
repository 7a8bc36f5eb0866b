/** One call of kubectl, made on both servers. */
export interface Command {
  readonly args: string;
  readonly stdin?: string;
  /** Steps on the way depend on timing; only the last line counts. */
  readonly onlyLastLine?: boolean;
  /** Called again until it prints this. */
  readonly until?: string;
  /** The order of lines, blank ones among them, depends on timing or chance. */
  readonly isUnordered?: boolean;
}

export const command = (args: string, stdin?: string): Command => ({ args, ...(stdin !== undefined && { stdin }) });
export const lastLine = (args: string): Command => ({ args, onlyLastLine: true });
/** Each change must be handled before the next one: a busy controller merges two changes. */
export const rolledOut = (name: string): Command => lastLine(`rollout status ${name} --timeout=30s`);
export const until = (args: string, text: string): Command => ({ args, until: text, onlyLastLine: true });
export const unordered = (args: string): Command => ({ args, isUnordered: true });
