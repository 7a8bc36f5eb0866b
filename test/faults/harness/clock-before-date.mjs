// Starts the wall clock of the process 25 s before the date of `yearly-operator.ts` in 2026.
const offset = Date.UTC(2026, 10, 26, 1, 59, 35) - Date.now();
const RealDate = Date;

globalThis.Date = class Date extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + offset);
    else super(...args);
  }

  static now() {
    return RealDate.now() + offset;
  }
};
