import type { Revert } from './revert.ts';

/** What the window shows. */
export const windowReverts: readonly Revert[] = [
  {
    name: 'an item or a message that cannot be drawn removes nothing else',
    scenario: 'markup',
    edits: [
      { file: 'src/ui/sanitizeHtml.ts', now: `const BODY = '<body>';`, without: `const BODY = '';` },
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
];
