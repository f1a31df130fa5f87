const BLOCKS = 'p, div, h1, h2, h3, h4, h5, h6, ul, ol, dl, pre, blockquote, center, figure, details';

/** Gives each outer block of sanitized markup the direction of its own text, unless the sender set one. */
export function setDirections(markup: ParentNode): void {
  for (const block of markup.children)
    if (block.matches(BLOCKS) && !block.hasAttribute('dir')) block.setAttribute('dir', 'auto');
}
