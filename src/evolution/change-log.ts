import type { ApiChange, Severity } from './api-change.js';

/** Records the changes at one path of an API; the logs of nested paths add to the same list. */
export class ChangeLog {
  private constructor(
    private readonly definition: string,
    private readonly version: string | undefined,
    private readonly path: string,
    private readonly changes: ApiChange[],
  ) {}

  static of(definition: string): ChangeLog {
    return new ChangeLog(definition, undefined, '', []);
  }

  in(version: string): ChangeLog {
    return new ChangeLog(this.definition, version, this.path, this.changes);
  }

  /** @param step `.name`, `[]` or `{}` */
  at(step: string): ChangeLog {
    return new ChangeLog(this.definition, this.version, this.path + step, this.changes);
  }

  /** True at the root of the object. */
  get isRoot(): boolean {
    return this.path === '';
  }

  add(severity: Severity, what: string): void {
    const { definition, version, path } = this;
    this.changes.push({ severity, definition, version, path, what });
  }

  list(): readonly ApiChange[] {
    return this.changes;
  }
}
