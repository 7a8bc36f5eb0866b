/** The operators in a bundle of `kindwright build`. */
export interface Bundle {
  /** The version of kindwright that built it. */
  readonly version: string;
  /** Loads the module of each source file, by its path relative to the project. */
  readonly files: Readonly<Record<string, () => Promise<object>>>;
}
