import { expect, test } from 'vitest';
import { errorLine } from './errorLine.ts';

test('formats one line without the prefix of commander', () => {
  expect(errorLine("error: unknown option '--prot'\n(Did you mean --port?)\n")).toBe(
    "unknown option '--prot' (Did you mean --port?)\n",
  );
  expect(errorLine('port 4311 is taken: free it')).toBe('port 4311 is taken: free it\n');
});
