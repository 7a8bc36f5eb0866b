import { jest } from '@jest/globals';

// Processes start and garbage is collected within; jest reads `testTimeout` of no single project.
jest.setTimeout(120_000);
