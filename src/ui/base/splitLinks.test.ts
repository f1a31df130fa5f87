import { describe, expect, it } from 'vitest';
import { splitLinks } from './splitLinks.ts';

const links = (text: string) =>
  splitLinks(text)
    .filter(({ isLink }) => isLink)
    .map((part) => part.text);

describe('splitLinks', () => {
  it.each([
    ['See https://example.org/a?b=c#d.', ['https://example.org/a?b=c#d']],
    ['HTTP://EXAMPLE.ORG, mailto:ada@example.org!', ['HTTP://EXAMPLE.ORG', 'mailto:ada@example.org']],
    [
      '(https://example.org/a_(b)) [x](https://example.org)',
      ['https://example.org/a_(b)', 'https://example.org'],
    ],
    ['**https://example.org/** "https://example.org/a"', ['https://example.org/', 'https://example.org/a']],
    ['看https://example.org/北京，很好。', ['https://example.org/北京']],
    ['«https://example.org/»…', ['https://example.org/']],
    ['https://example.org/\u202Egro', ['https://example.org/']],
    ['http://[::1]:80/]', ['http://[::1]:80/']],
  ])('finds the addresses of %j without the punctuation around them', (text, expected) => {
    expect(links(text)).toEqual(expected);
    expect(
      splitLinks(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });

  it.each([
    ['no scheme', 'example.org //example.org/ ada@example.org https:example.org'],
    ['another scheme', 'javascript:alert(1) data:text/html,x file:///etc/passwd ftp://example.org'],
    ['a scheme within a word', 'xhttps://example.org http\u017F://example.org'],
    ['no host', 'https:// https://. mailto: mailto:!'],
    ['an ellipsis at its end', 'https://example.org/cut…'],
    ['3000 characters', `https://example.org/${'x'.repeat(3000)}`],
  ])('finds no address with %s', (_, text) => {
    expect(splitLinks(text)).toEqual([{ text, isLink: false }]);
  });

  it('splits long texts in linear time into a limited number of parts', () => {
    for (const repeated of ['http://', 'http://a ', 'http://a)', 'mailto:', '((((', 'http://(.)'])
      expect(splitLinks(repeated.repeat(100_000)).length).toBeLessThanOrEqual(1002);
  }, 2000);
});
