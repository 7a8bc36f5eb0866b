/** A set that gives up its oldest member. */
export class OldestFirst<T> {
  private readonly members = new Set<T>();
  /** A new iterator would step over all members that have left since the table of the set was last rebuilt. */
  private oldest = this.members.values();

  get size(): number {
    return this.members.size;
  }

  add(member: T): void {
    this.members.add(member);
  }

  delete(member: T): boolean {
    return this.members.delete(member);
  }

  /** Removes and returns the oldest member. */
  shift(): T | undefined {
    if (this.members.size === 0) return undefined;
    let next = this.oldest.next();
    if (next.done === true) {
      // It had reached the end of a set that was empty then.
      this.oldest = this.members.values();
      next = this.oldest.next();
    }
    if (next.done === true) return undefined;
    this.members.delete(next.value);
    return next.value;
  }
}
