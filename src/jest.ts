export { kindwrightPreset, type KindwrightJestPreset } from './test-runners/jest-preset.js';
