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
  {
    name: 'a window fetches a conversation in parts',
    scenario: 'large',
    assertion: 'a fetched state in parts',
    edits: [
      {
        file: 'src/main/store/partForWindows.ts',
        now: 'from > 0 && size < limit && blobs < PART_BLOBS_LENGTH;',
        without: 'from > 0;',
      },
    ],
  },
  {
    name: 'long blobs reach a window by reference',
    scenario: 'large',
    assertion: 'without the files',
    edits: [
      {
        file: 'src/main/store/blobReferences.ts',
        now: 'if (!hasLong) return message;',
        without: 'return message;',
      },
    ],
  },
  {
    name: 'a live snapshot is not forwarded whole',
    scenario: 'large',
    edits: [
      {
        file: 'src/main/store/actionForWindows.ts',
        now: `if (update.kind === 'snapshot') return { ...action, ...snapshotForWindows(update.frame, onTooLong) };`,
        without: '',
      },
    ],
  },
];
