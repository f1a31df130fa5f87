import { join } from 'node:path';
import { describeCaptures } from '#replay/vitest.ts';

const CORPUS = join(import.meta.dirname, 'captures');

// In watch mode, a changed capture runs these tests again.
import.meta.glob('./captures/**/*.{jsonl,gz}', { eager: true, query: '?url' });

describeCaptures(CORPUS, { name: 'the corpus' });
