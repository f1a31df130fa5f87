const SECTION = [
  '## Section N\n\nThis is a paragraph with **strong** words, `code` and a [link](https://example.org/N). It explains in a few ',
  'sentences what follows, and why it is so.\n\nA second paragraph follows the first one. It has no markers at all, as most prose.\n\n',
  '- The first item\n- The **second** item\n  - One within it\n\nAn example:\n\n```ts\nconst value = N;\nexport function twice(): number ',
  '{\n  return value * 2;\n}\n```\n\n| Name | Value |\n| --- | ---: |\n| one | 1 |\n| two | **2** |\n\nThat is all of section N.\n\n',
].join('');

/** Returns an answer with everything that models write, in this many tokens: a word or a mark each, with the white space after it. */
export function sampleTokens(count: number): readonly string[] {
  const tokens: string[] = [];
  for (let section = 1; tokens.length < count; section += 1)
    tokens.push(...(SECTION.replaceAll('N', `${section}`).match(/(?:\w+|[^\w\s])\s*/g) ?? []));
  return tokens.slice(0, count);
}
