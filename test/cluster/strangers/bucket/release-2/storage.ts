export * from '../api/bucket.js';
export * from './bucket-access.js';
export * from './bucket-v2.js';
