import { vi } from 'vitest';

/*
 * The test files of the project `app` share a process, because a process takes longer to start than most files take to run. Each
 * file starts with new modules: modules of an earlier file may use its mocks.
 */
vi.resetModules();
