import type { OpenBlock } from './openBlock.ts';

const OPENING = /^ {0,3}(?<fence>`{3,}|~{3,})/;

/** Opens the code block of a fence. It ends at the closing fence. */
export function openFence(line: string): OpenBlock {
  const fence = OPENING.exec(line)?.groups?.fence ?? '```';
  const lines = [line];
  return {
    kind: 'code',
    lines,
    push(next) {
      lines.push(next);
      return closesFence(next, fence);
    },
  };
}

/** Returns whether a line closes a fence: at least as many of its characters, and nothing else. */
export function closesFence(line: string, fence: string): boolean {
  const text = line.trim();
  return text.startsWith(fence) && text === fence.charAt(0).repeat(text.length);
}

/** Opens a code block of indented lines. It ends at the first line that is not indented. */
export function openIndentedCode(): OpenBlock {
  const lines: string[] = [];
  return {
    kind: 'code',
    lines,
    continues: ({ kind }) => kind === 'indented' || kind === 'blank',
    push(line) {
      lines.push(line);
      return false;
    },
  };
}
