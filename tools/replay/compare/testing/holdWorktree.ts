/** Keeps a worktree of a repository's newest commit until a signal arrives: `node holdWorktree.mjs <repository>`. */
import { withWorktree } from '../withWorktree.ts';

await withWorktree({ repository: process.argv[2] ?? '', commit: 'HEAD' }, async ({ tree }) => {
  process.stdout.write(`${tree}\n`);
  await new Promise((resolve) => setInterval(resolve, 2 ** 30, 'never'));
});
