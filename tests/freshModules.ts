import { vi } from 'vitest';

/*
 * The test files of the project `app` share a process, for a process takes longer to start than most of them to run. Each file begins
 * with modules of its own: those that an earlier one has imported may use a module that it mocked. Mocks belong to their file.
 */
vi.resetModules();
