export * from './backup.js';
export * from './backup-plan.js';
