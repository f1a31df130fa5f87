import { join } from 'node:path';
import { describeCaptures } from '#replay/vitest.ts';
import { adapter } from './adapter.ts';

describeCaptures(join(import.meta.dirname, 'captures'), { adapter });
