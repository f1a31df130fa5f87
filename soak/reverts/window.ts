import type { Revert } from './revert.ts';

/** What the window shows. */
export const windowReverts: readonly Revert[] = [
  {
    name: 'an item or a message that cannot be drawn removes nothing else',
    scenario: 'markup',
    edits: [
      {
        file: 'src/ui/markup/parseMarkup.ts',
        now: `write(page, '<body>');`,
        without: `write(page, '<head>');`,
      },
      {
        file: 'src/ui/ContentItem.tsx',
        now: '<ErrorBoundary of={item} fallback={<FailedItem item={item} />}>',
        without: '<>',
      },
      { file: 'src/ui/ContentItem.tsx', now: '</ErrorBoundary>', without: '</>' },
      {
        file: 'src/ui/Message.tsx',
        now: '<ErrorBoundary of={message} fallback={<FailedMessage message={message} />}>',
        without: '<>',
      },
      { file: 'src/ui/Message.tsx', now: '</ErrorBoundary>', without: '</>' },
    ],
  },
  {
    name: 'markup over a limit is not shown unasked',
    scenario: 'markup',
    edits: [
      {
        file: 'src/ui/markup/sanitizeHtml.ts',
        now: 'const body = parseMarkup(html);',
        without: 'const body: Element | null = parseAllMarkup(html);',
      },
    ],
  },
];
