import { findBinaries } from './binaries.ts';

/** Builds the control plane, if need be, before any suite's time limit runs. */
// eslint-disable-next-line kindwright/no-default-exports -- jest calls the default export
export default async function setup(): Promise<void> {
  await findBinaries();
}
