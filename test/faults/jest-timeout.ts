import { jest } from '@jest/globals';

// Tests await rows that run in the background; each row has a limit of its own.
jest.setTimeout(900_000);
