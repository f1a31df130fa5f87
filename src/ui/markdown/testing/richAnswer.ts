/** An answer with each kind of block. */
export { default as RICH_ANSWER } from './richAnswer.md?raw';
