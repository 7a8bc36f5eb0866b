/** A value that is not to be seen: neither in a log line, nor in JSON, nor when a debugger prints what holds it. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toJSON(): string {
    return '[secret]';
  }
}
