export { kindwright, type KindwrightVitePlugin } from './test-runners/vite-plugin.js';
