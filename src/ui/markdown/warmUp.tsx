import { createRoot } from 'react-dom/client';
import { loadHighlighter } from '../code/decorateCode.ts';
import { loadMath } from './math.ts';
import { MarkdownBlocks, headingRanks } from './Markdown.tsx';
import { parseMarkdown } from './parseMarkdown.ts';

/** Each kind of block, in parts for a task each. */
const SOURCES = [
  '# A\n\n**b** *c* `d` [e](https://example.org)\n\n> f\n',
  '- [x] g\n  1. h\n\n| i | j |\n| - | - |\n| k | l |\n',
  '$$\n\\sum_{i=1}^{n} \\frac{a_i}{\\sqrt{b}} \\left( c \\right)\n$$\n',
  '```ts\nconst a: string = `b${1}`; // c\n```\n',
];

/**
 * Loads what is large, and draws each kind of block once where nobody sees it, while the window is idle: the browser compiles code when it first runs, which would
 * delay the beginning of the first answer.
 */
export async function warmUp(): Promise<void> {
  await Promise.all([loadMath(), loadHighlighter()]);
  const root = createRoot(document.createElement('div'));
  for (const source of SOURCES) {
    await idle();
    const { blocks } = parseMarkdown(source, { isGrowing: true });
    root.render(<MarkdownBlocks blocks={blocks} ranks={headingRanks(blocks)} />);
  }
  await idle();
  root.unmount();
}

const idle = () => new Promise((resolve) => requestIdleCallback(resolve));
