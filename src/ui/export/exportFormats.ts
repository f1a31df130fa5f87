/** The formats in which a person can export the conversation. */
export const EXPORT_FORMATS = {
  html: { name: 'Web page', about: 'with its images, for any browser', ending: 'html', type: 'text/html' },
  markdown: { name: 'Markdown', about: 'images and files are named', ending: 'md', type: 'text/markdown' },
  text: { name: 'Plain text', about: 'images and files are named', ending: 'txt', type: 'text/plain' },
} as const;

/** The name of a format of an export. */
export type ExportFormat = keyof typeof EXPORT_FORMATS;
