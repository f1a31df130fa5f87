/** A part of a sanitized page that is being collected: nodes within copies of the elements that are open around them. */
export class MarkupPart {
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
