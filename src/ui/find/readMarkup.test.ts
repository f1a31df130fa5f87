import { expect, test } from 'vitest';
import { sourceText } from './readMarkup.ts';

function textOf(html: string): string {
  const steps = sourceText(html);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

test('separates blocks, and leaves out tags, comments and elements that messages do not show', () => {
  const html = `<p title="a > b">one<br>two</p><!-- no --><script>no</script><b class='c'>th</b>ree<p>four`;
  expect(textOf(html)).toBe('\none\ntwo\nthree\nfour');
});

test.each([
  ['tag', '<a ', 'x'],
  ['value', '<a href="', 'x'],
  ['comment', '<!-- ', '<!-- '],
  ['script', '<script>', '</scrip'],
  ['tag with many values', '<a ', `"'`],
  ['tag after tag', '<a ', '<a '],
])('reads 10 MB of a %s that does not end', (_, start, part) => {
  const html = start + part.repeat(1e7 / part.length);
  expect(textOf(`before${html}`)).toMatch(/^before/u);
});
