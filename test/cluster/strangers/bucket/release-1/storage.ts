export * from '../api/bucket.js';
export * from './bucket-access.js';
