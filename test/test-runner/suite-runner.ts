import circus from 'jest-circus/runner';
let kept: any;
const INIT = 'jestAdapterInit.js';
export default async function run(globalConfig: any, config: any, environment: any, runtime: any, testPath: string, send: any) {
  if (globalConfig.collectCoverage || globalConfig.watch || process.env.OWN_ENVIRONMENT) return circus(globalConfig, config, environment, runtime, testPath, send);
  if (!kept) {
    kept = { environment, runtime };
    environment.teardown = async () => {};
    runtime.teardown = () => {};
  } else {
    const old = kept.runtime;
    const reg = old.registries;
    for (const k of reg.esModuleRegistry.keys()) {
      if (k.startsWith('node:') || /\/(node_modules|src)\//.test(k) && !k.startsWith('@jest/globals')) continue;
      if (!k.startsWith('file:') && !k.startsWith('@jest/globals')) continue;
      reg.esModuleRegistry.delete(k);
    }
    for (const k of reg.internalModuleRegistry.keys()) if (k.endsWith(INIT)) reg.internalModuleRegistry.delete(k);
    const g = kept.environment.global;
    delete g[Symbol.for('EVENT_HANDLERS')];
    delete g[Symbol.for('TEST_TIMEOUT_SYMBOL')];
    g.console = environment.global.console;
    const maps = runtime.getSourceMaps();
    for (const [a, b] of old.transformCache.sourceMaps) maps.set(a, b);
    old.transformCache.sourceMaps = maps;
    old._testPath = old.esmLoader.testPath = old.executor.testPath = testPath;
    old.testState.state = 'loading';
  }
  return circus(globalConfig, config, kept.environment, kept.runtime, testPath, send);
}
