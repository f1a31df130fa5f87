import type { Revert } from './revert.ts';

/** What the window shows. */
export const windowReverts: readonly Revert[] = [
  {
    name: 'an item or a message that cannot be rendered does not remove others',
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
    name: 'markup over a limit is shown on request only',
    scenario: 'markup',
    edits: [
      {
        file: 'src/ui/markup/sanitizeHtml.ts',
        now: 'const body = parseMarkup(html);',
        without:
          'const parser = createParser(html); while (parser.parseNext()); const body: Element | null = parser.body;',
      },
      {
        file: 'src/ui/markup/sanitizeHtml.ts',
        now: "import { parseMarkup } from './parseMarkup.ts';",
        without: "import { createParser } from './parseMarkup.ts';",
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
    name: 'a live snapshot is forwarded in parts',
    scenario: 'large',
    edits: [
      {
        file: 'src/main/store/actionForWindows.ts',
        now: `if (update.kind === 'snapshot')
    return { ...action, ...snapshotApplied({ ...partsForWindows(update.frame, onTooLong), tick, known }) };`,
        without: '',
      },
    ],
  },
  {
    name: 'the newest messages of a live snapshot come first',
    scenario: 'large',
    assertion: 'the newest messages of a live snapshot',
    edits: [
      {
        file: 'src/main/store/actionForWindows.ts',
        now: '{ before: length, limit: NEWEST_PART_LENGTH, onTooLong }',
        without: '{ before: length, limit: Infinity, onTooLong }',
      },
      {
        file: 'src/main/store/partForWindows.ts',
        now: 'size < limit && blobs < PART_BLOBS_LENGTH;',
        without: 'size < limit;',
      },
    ],
  },
  {
    name: 'the newest messages of a fetched state come first',
    scenario: 'large',
    assertion: 'the newest messages of a fetched state',
    edits: [
      {
        file: 'src/main/ipc/stateText.ts',
        now: '{ before: messages.length, limit: NEWEST_PART_LENGTH, onTooLong }',
        without: '{ before: messages.length, limit: Infinity, onTooLong }',
      },
      {
        file: 'src/main/store/partForWindows.ts',
        now: 'size < limit && blobs < PART_BLOBS_LENGTH;',
        without: 'size < limit;',
      },
    ],
  },
  {
    name: 'main makes no second copy of a conversation when a window opens or reloads it',
    scenario: 'large',
    assertion: 'no copy of the conversation',
    edits: [
      {
        file: 'src/main/store/partForWindows.ts',
        now: 'from > 0 && size < limit && blobs < PART_BLOBS_LENGTH;',
        without: 'from > 0;',
      },
      {
        file: 'src/main/store/blobReferences.ts',
        now: 'if (!hasLong) return message;',
        without: 'return message;',
      },
    ],
  },
  {
    name: 'a window that cannot be shown offers to reload',
    scenario: 'markup',
    assertion: 'a window that cannot be shown',
    edits: [
      { file: 'src/renderer/index.tsx', now: '<ErrorBoundary fallback={failure}>', without: '<>' },
      { file: 'src/renderer/index.tsx', now: '</ErrorBoundary>', without: '</>' },
    ],
  },
  {
    name: 'a window that cannot be shown has a button that reloads it',
    scenario: 'markup',
    assertion: 'a window that cannot be shown',
    edits: [
      {
        file: 'src/ui/failure/PageFailure.tsx',
        now: '<button type="button" className="more" onClick={() => location.reload()}>\n      Reload\n    </button>',
        without: '',
      },
    ],
  },
  {
    name: 'a window that does not read is disconnected',
    scenario: 'stopped-renderer',
    assertion: 'for a window that does not read',
    edits: [
      {
        file: 'src/web/server/sendWithinBuffer.ts',
        now: 'if (waiting > limit) return socket.terminate();',
        without: '',
      },
    ],
  },
  {
    name: 'the inspector says how many updates wait',
    scenario: 'inspector',
    assertion: 'how many updates wait and for how long',
    edits: [
      {
        file: 'tools/replay/inspector/page/panes/ConversationPane.tsx',
        now: 'waiting > 0 && describeQueue(waiting),',
        without: '',
      },
    ],
  },
];
