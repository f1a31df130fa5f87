import { join } from 'node:path';
import { describeCaptures } from '#replay/vitest.ts';

// In watch mode, a changed capture runs these tests again.
import.meta.glob('./captures/**/*.{jsonl,gz}', { eager: true, query: '?url' });

describeCaptures(join(import.meta.dirname, 'captures'), { name: 'the corpus' });
