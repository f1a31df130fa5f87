import { CLIPPED_LENGTH, COSTLY_LENGTH, isCostlyText, splitIntoBlocks } from '../base/longText.ts';
import { isVisible, limitSpans, sanitizeBody } from './sanitizeHtml.ts';

/** Maximum size of what is sanitized at once. A node has the size 1; a text, in addition, one hundredth of its length. */
const GROUP_SIZE = 200;
/** Maximum length of the text of code that stays in one part, in UTF-16 units. */
const CODE_LENGTH = 100_000;

/** A part of a page; `null` where the work can pause. */
type Steps = Generator<DocumentFragment | null>;

/**
 * Sanitizes a parsed page of any size in steps of a few milliseconds. Yields its visible parts in order, each within copies of the elements
 * around it, such as a list. Takes the nodes out of the body.
 */
export function* sanitizeInParts(body: Element): Steps {
  const part = new MarkupPart();
  yield* addContent(body, part);
  yield* takePart(part);
}

function* addContent(parent: Element, part: MarkupPart): Steps {
  let group = new Group(parent);
  for (let node = parent.firstChild; node !== null; node = parent.firstChild) {
    const size = sizeOf(node);
    if (group.size + (size ?? GROUP_SIZE) > GROUP_SIZE) {
      yield* addGroup(group, part);
      group = new Group(parent);
    }
    if (size === null) yield* addLarge(node, part);
    else group.add(node, size);
  }
  yield* addGroup(group, part);
}

/** Nodes that are sanitized together. */
class Group {
  /** In the page's own document, in which nothing runs or loads. */
  readonly body: Element;
  size = 0;

  constructor({ ownerDocument }: Element) {
    this.body = ownerDocument.createElement('body');
  }

  add(node: Node, size: number): void {
    this.body.append(node);
    this.size += size;
  }
}

function* addGroup({ body, size }: Group, part: MarkupPart): Steps {
  if (size > 0) part.add(sanitizeBody(body), size);
  if (part.size < GROUP_SIZE) yield null;
  else yield* takePart(part);
}

function* takePart(part: MarkupPart): Steps {
  const fragment = part.take();
  // Its groups were limited one by one.
  limitSpans(fragment);
  if (isVisible(fragment)) yield fragment;
}

/** Returns the size of a node; `null` when it must be split. */
function sizeOf(node: Node): number | null {
  let nodes = 1;
  const walker = (node.ownerDocument ?? document).createTreeWalker(node);
  while (walker.nextNode() !== null) if (++nodes > GROUP_SIZE) return null;
  const text = node.textContent ?? '';
  const isTooLong = text.length > (node.nodeName === 'PRE' ? CODE_LENGTH : CLIPPED_LENGTH);
  return isTooLong || isCostlyText(text) ? null : Math.min(GROUP_SIZE, nodes + text.length / 100);
}

/** Adds a node that is too large for one part, and takes it out of the page. */
function* addLarge(node: ChildNode, part: MarkupPart): Steps {
  node.remove();
  if (node instanceof Element) yield* addElement(node, part);
  else if (node instanceof Text) yield* addText(node.data, part);
}

function* addText(text: string, part: MarkupPart): Steps {
  for (const block of splitIntoBlocks(text)) {
    const length = isCostlyText(block) ? COSTLY_LENGTH : CLIPPED_LENGTH;
    for (const piece of splitIntoBlocks(block, length)) {
      part.add(new Text(piece), GROUP_SIZE);
      yield* takePart(part);
    }
  }
}

function* addElement(element: Element, part: MarkupPart): Steps {
  const shell = shellOf(element);
  if (shell === null) return;
  if (shell instanceof Element) part.open(shell);
  yield* addContent(element, part);
  if (shell instanceof Element) part.close();
}

/** Elements whose parts would not open and close together. */
const UNWRAPPED = 'DETAILS, SUMMARY';

/** Returns an element after sanitizing, without its content; a text when only its content stays; `null` when nothing of it stays. */
function shellOf(element: Element): ChildNode | null {
  const probe = element.cloneNode(false);
  if (!(probe instanceof Element)) return null;
  // Not its `textContent`: that of a script is a trusted type.
  probe.append('x');
  const group = new Group(element);
  group.add(probe, 1);
  const shell = sanitizeBody(group.body).firstChild;
  if (!(shell instanceof Element)) return shell;
  shell.replaceChildren();
  shell.classList.add('split');
  return shell.matches(UNWRAPPED) ? new Text() : shell;
}

/** A part of a sanitized page that is being collected: nodes within copies of the elements that are open around them. */
class MarkupPart {
  /** The size of the nodes in the part. */
  size = 0;
  #fragment = new DocumentFragment();
  /** The open elements, the outermost first. */
  #open: Element[] = [];

  /** Adds nodes to the innermost open element. */
  add(nodes: Node, size: number): void {
    this.#parent().append(nodes);
    this.size += size;
  }

  /** Opens an element: what is added is in it, until it is closed. */
  open(element: Element): void {
    this.#parent().append(element);
    this.#open.push(element);
  }

  close(): void {
    this.#open.pop();
  }

  /** Returns the part, and begins the next one, in copies of the open elements. */
  take(): DocumentFragment {
    const taken = this.#fragment;
    const open = this.#open;
    this.#fragment = new DocumentFragment();
    this.#open = [];
    this.size = 0;
    for (const [depth, element] of open.entries()) this.open(continuationOf(element, open[depth + 1]));
    return taken;
  }

  #parent(): ParentNode {
    return this.#open.at(-1) ?? this.#fragment;
  }
}

/** Returns a copy of an element that continues it in the next part; a list continues its numbers. `inner` is its open child. */
function continuationOf(element: Element, inner: Element | undefined): Element {
  const copy = element.cloneNode(false);
  if (!(copy instanceof Element)) throw new TypeError('A copy of an element is an element.');
  copy.classList.add('continued');
  if (element.nodeName !== 'OL') return copy;
  const items = Array.from(element.children).filter(({ nodeName }) => nodeName === 'LI').length;
  const first = Number(element.getAttribute('start') ?? 1);
  copy.setAttribute('start', String(first + items - (inner?.nodeName === 'LI' ? 1 : 0)));
  return copy;
}
