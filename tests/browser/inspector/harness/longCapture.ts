import { writeFileSync } from 'node:fs';

/** Writes a capture with `messages` messages, one every 10 ms; returns its path. */
export function writeLongCapture(path: string, messages: number): string {
  const lines = [
    { format: 'parley-capture', version: 1, startedAt: '2026-11-20T09:00:00.000Z', app: '0.1.0' },
    { t: 0, type: 'open' },
    { t: 1, type: 'recv', data: '{"person":"Ada Lovelace","messages":[]}' },
    ...Array.from({ length: messages }, (_, index) => ({
      t: 10 * (index + 1),
      type: 'recv',
      data: JSON.stringify({
        id: `m-${index}`,
        modifier: index % 3 === 0 ? 'client' : 'ai',
        content: [{ category: 'text', text: `Message ${index}`, html: null, blob: null }],
        context: 'Assistant',
        avatar: '',
        seen: true,
      }),
    })),
  ];
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}
