import { limitTests } from '../time-limits.js';

// Processes start and garbage is collected within; jest reads `testTimeout` of no single project.
limitTests(120_000);
