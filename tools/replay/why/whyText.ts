import { styleText } from 'node:util';
import { pluralize } from '#shared/formatText.ts';
import type { Output } from '../base/output.ts';
import { escapeControls, formatValue } from '../base/visibleText.ts';
import { formatTime } from '../inspector/time/formatTime.ts';
import type { WhyDocument } from './whyDocument.ts';

type Entry = NonNullable<WhyDocument['entries']>[number];
type Candidate = NonNullable<WhyDocument['candidates']>[number];

/** The number of changed parts that are printed. */
const MOST_CHANGES = 5;

/** Formats a document for people, in pieces: the moment, then a paragraph for each step. */
export function* whyText(document: WhyDocument, { isOutColored }: Output): Generator<string, void> {
  const bold = (text: string) => (isOutColored ? styleText('bold', text, { validateStream: false }) : text);
  const { path, capture, step, t, entries = [], candidates } = document;
  const until = `up to step ${step} (${formatTime(t)})`;
  yield `${bold(path)} in ${escapeControls(capture)}\n`;
  if (candidates !== undefined) {
    yield `${pluralize(candidates.length, 'step')} ${until} could have changed it. Its value is ${formatValue(document.value)}.\n`;
    for (const candidate of candidates)
      yield `\n${heading(candidate, bold)}    ${escapeControls(candidate.because)}\n${place(candidate)}`;
    return;
  }
  const value =
    entries.length === 0 ? ` Its value is ${formatValue(document.value)}, from the beginning.` : '';
  yield `${pluralize(entries.length, 'step')} ${until} changed it.${value}\n`;
  for (const entry of entries)
    yield `\n${heading(entry, bold)}${changeLines(entry)}${place(entry)}${sourceText(entry)}`;
}

const heading = ({ step, t, type, summary }: Entry | Candidate, bold: (text: string) => string): string =>
  `${bold(`step ${step}`)}  ${formatTime(t)}  ${bold(escapeControls(type))}  ${escapeControls(summary)}`.trimEnd() +
  '\n';

function changeLines({ before, after, changes, changeCount = 0 }: Entry): string {
  if (changes === undefined) return `    ${formatValue(before)} → ${formatValue(after)}\n`;
  const lines = changes
    .slice(0, MOST_CHANGES)
    .map((change) => `    ${change.path}: ${formatValue(change.before)} → ${formatValue(change.after)}\n`);
  const more = changeCount - lines.length;
  return `${lines.join('')}${more > 0 ? `    and ${more} more\n` : ''}`;
}

/** Formats where a step came from. */
function place({ frame: { record, line, offset, bytes }, receivedAt, ...step }: Entry | Candidate): string {
  const where = line === undefined ? `record ${record}` : `line ${line}, offset ${offset}`;
  const field =
    'field' in step && step.field !== undefined
      ? `, field ${step.field === '' ? '(the whole frame)' : step.field}`
      : '';
  const received = receivedAt === undefined ? '' : `, received at ${formatTime(receivedAt)}`;
  return `    ${where}${bytes === undefined ? '' : `, ${pluralize(bytes, 'byte')}`}${field}${received}\n`;
}

function sourceText({ lines = [], linesOf, unlike }: Entry): string {
  if (linesOf === undefined) return '';
  if (linesOf === 'all') return `    all that ran\n${placesByFile(lines).join('')}`;
  const rows = lines.map(
    ({ file, line, function: name, text }) => `      ${file}:${line}  ${name}  ${escapeControls(text)}\n`,
  );
  return `    lines that ran, and not at step ${unlike}\n${rows.join('')}`;
}

/** Formats many lines by file and function, with their numbers only. */
function placesByFile(lines: NonNullable<Entry['lines']>): string[] {
  const files = new Map<string, Map<string, number[]>>();
  for (const { file, line, function: name } of lines) {
    const functions = files.get(file) ?? new Map<string, number[]>();
    files.set(file, functions.set(name, [...(functions.get(name) ?? []), line]));
  }
  return [...files].map(([file, functions]) => {
    const named = [...functions].map(([name, numbers]) => `${name} ${numbers.join(' ')}`);
    return `      ${file}: ${named.join(', ')}\n`;
  });
}
