/** A value that is hidden from logs, JSON and `util.inspect`. */
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
