/** One use of a class decorator. */
export interface DecoratorUse {
  /** The class that carries it; it may be a base class of the one in question. */
  readonly target: object;
  /** The decorator's name without `@`. */
  readonly name: string;
  /** Position among the class's decorators of that name, in source order. */
  readonly index: number;
}
