import type { AnswerItem } from './answerItem.ts';
import { type Prose, createProse } from './createProse.ts';
import {
  type OpenBlock,
  isDelimiterRow,
  openFence,
  openIndentedCode,
  openList,
  openQuote,
  openTable,
} from './openBlock.ts';
import { type LineStart, lineStart } from './lineStart.ts';

/** Splits the Markdown of an answer into prose and blocks while it grows. */
export interface Splitter {
  /** Takes the next characters, which the normalizer returned. */
  add(text: string): void;
  /** Ends the answer: an open block or paragraph is complete. */
  end(): void;
  /** Brings the text of the open text item up to date. */
  refresh(): void;
  /** Returns the block that is still growing. */
  openBlock(): GrowingBlock | null;
}

/** A block that is still growing, and its incomplete last line. */
export interface GrowingBlock {
  readonly block: OpenBlock;
  readonly line: string;
}

/**
 * The state of a splitter:
 *
 *     undecided ── the beginning of the line decides ──▶ prose, block ── end of the line ──▶ undecided
 */
interface State {
  readonly items: AnswerItem[];
  readonly prose: Prose;
  block: OpenBlock | null;
  /** The characters of the open line, unless it is prose. */
  line: string;
  /** What the open line belongs to. */
  target: 'undecided' | 'prose' | 'block';
  isHeading: boolean;
}

const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
/** The list items that may interrupt a paragraph: an ordered list must begin with 1. */
const INTERRUPTING = /^ {0,3}(?:[-+*]|1[.)])(?:[ \t]|$)/;

/**
 * Creates a splitter. It adds the complete items, and the open text item, to `items`. Each character is read once, and the items depend on
 * the characters alone. Blocks are parsed later, by a complete parser: a wrong guess here costs only the grouping.
 */
export function createSplitter(items: AnswerItem[]): Splitter {
  const prose = createProse(items);
  const state: State = { items, prose, block: null, line: '', target: 'undecided', isHeading: false };
  return {
    add(text) {
      let from = 0;
      for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
        addToLine(state, text.slice(from, to));
        endLine(state);
        from = to + 1;
      }
      addToLine(state, text.slice(from));
    },
    end() {
      if (state.line !== '' || state.target !== 'undecided') endLine(state);
      closeBlock(state);
      prose.endItem();
    },
    refresh: () => prose.refresh(),
    openBlock: () => state.block && { block: state.block, line: state.line },
  };
}

function addToLine(state: State, text: string): void {
  if (text === '') return;
  if (state.target === 'prose') {
    state.prose.append(text);
    return;
  }
  state.line += text;
  if (state.target === 'undecided') begin(state, false);
}

function endLine(state: State): void {
  if (state.target === 'undecided' && !endsParagraph(state)) begin(state, true);
  if (state.target === 'block' && state.block?.push(state.line) === true) closeBlock(state);
  if (state.isHeading) state.prose.endParagraph();
  state.line = '';
  state.target = 'undecided';
  state.isHeading = false;
}

/** Takes a complete line that makes a table or a heading of the line before it; returns whether it does. */
function endsParagraph(state: State): boolean {
  const { prose, line } = state;
  const before = state.block === null ? prose.lastLine() : undefined;
  if (before === undefined) return false;
  if (isDelimiterRow(line, before)) {
    prose.removeLastLine();
    prose.endItem();
    state.block = openTable([before, line]);
    return true;
  }
  if (!UNDERLINE.test(line)) return false;
  prose.beginLine();
  prose.append(line);
  prose.endParagraph();
  return true;
}

/** Begins a line as soon as its kind is known. */
function begin(state: State, isComplete: boolean): void {
  const { block } = state;
  if (block && !block.continues) {
    state.target = 'block';
    return;
  }
  const start = lineStart(state.line, isComplete);
  if (start === undefined) return;
  if (block?.continues?.(start) === true) {
    state.target = 'block';
    return;
  }
  closeBlock(state);
  const next = block?.nextPiece?.(start);
  if (next) growBlock(state, next);
  else beginOutside(state, start);
}

/** Begins a line outside of a block. */
function beginOutside(state: State, { kind }: LineStart): void {
  const { prose, line } = state;
  if (kind === 'blank') prose.endParagraph();
  else if (kind === 'break') prose.endItem();
  else if (kind === 'quote') growBlock(state, openQuote());
  else if (kind === 'fence') {
    prose.endItem();
    state.block = openFence(line);
  } else if (kind === 'list' && (!prose.hasParagraph() || INTERRUPTING.test(line)))
    growBlock(state, openList());
  else if (kind === 'indented' && !prose.hasParagraph()) growBlock(state, openIndentedCode());
  else beginProse(state, kind);
}

function beginProse(state: State, kind: LineStart['kind']): void {
  const { prose } = state;
  state.isHeading = kind === 'heading';
  if (state.isHeading) prose.endParagraph();
  prose.beginLine();
  prose.append(state.line);
  if (kind === 'pipe') prose.holdLine();
  state.target = 'prose';
}

/** Opens a block to which the open line belongs. */
function growBlock(state: State, block: OpenBlock): void {
  state.prose.endItem();
  state.block = block;
  state.target = 'block';
}

function closeBlock(state: State): void {
  const { block } = state;
  if (block !== null) state.items.push({ kind: block.kind, source: block.lines.join('\n').trimEnd() });
  state.block = null;
}
