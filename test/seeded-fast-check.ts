import fc from '../node_modules/fast-check/lib/fast-check.js';

/**
 * fast-check with the seed of `PROPERTY_SEED`; jest.config.js puts it in the place of fast-check when that is set.
 *
 * The gate tries the same examples in each run, so that it fails only for the change under test. Without a seed each run
 * tries other examples.
 */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED']) });

export * from '../node_modules/fast-check/lib/fast-check.js';
export { fc as default };
