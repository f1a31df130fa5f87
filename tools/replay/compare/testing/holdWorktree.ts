/** Keeps a worktree of a repository's newest commit until a signal arrives: `node holdWorktree.mjs <repository>`. */
import { addWorktree } from '../addWorktree.ts';

process.on('SIGINT', () => process.exit(130));
const { tree } = await addWorktree({ repository: process.argv[2] ?? '', commit: 'HEAD' });
process.stdout.write(`${tree}\n`);
setInterval(() => undefined, 2 ** 30);
