import type { Revert } from './revert.ts';

/** What the window shows. */
export const windowReverts: readonly Revert[] = [
  {
    name: 'markup begins with a body, so that a frameset leaves one',
    scenario: 'markup',
    edits: [
      { file: 'src/ui/sanitizeHtml.ts', now: `const BODY = '<body>';`, without: `const BODY = '';` },
      {
        file: 'src/ui/ContentItem.tsx',
        now: '<ErrorBoundary of={item} fallback={<FailedItem item={item} />}>',
        without: '<>',
      },
      { file: 'src/ui/ContentItem.tsx', now: '</ErrorBoundary>', without: '</>' },
    ],
  },
];
