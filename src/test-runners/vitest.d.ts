/** The part of Vitest's API that the set-up file uses; Vitest is a dependency of the user's project only. */
declare module 'vitest' {
  interface SerializedError {
    message: string;
    stack?: string;
  }
  interface TestContext {
    readonly task: { readonly timeout: number; readonly result?: { readonly errors?: SerializedError[] } };
    readonly onTestFailed: (listener: () => void) => void;
  }
  export function beforeEach(hook: (context: TestContext) => void): void;
}
