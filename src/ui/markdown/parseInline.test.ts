import { describe, expect, test } from 'vitest';
import { parseInline } from './parseInline.ts';
import { type Inline, NO_DEFINITIONS } from './syntax.ts';

/** Returns a source in which each link is `[words](address)`. */
const links = (source: string): string => (parseInline(source, NO_DEFINITIONS) ?? []).map(written).join('');

function written(part: Inline): string {
  if (part.type === 'text' || part.type === 'code') return part.text;
  const inner = 'children' in part ? part.children.map(written).join('') : '';
  return part.type === 'link' ? `[${inner}](${part.address})` : inner;
}

describe('an address without marks', () => {
  // Those of GitHub's specification, and some of its implementation.
  test.each([
    ['www.commonmark.org', '[www.commonmark.org](http://www.commonmark.org)'],
    ['Visit www.a.org/help for more.', 'Visit [www.a.org/help](http://www.a.org/help) for more.'],
    ['Visit www.a.org.', 'Visit [www.a.org](http://www.a.org).'],
    ['Visit www.a.org/a.b.', 'Visit [www.a.org/a.b](http://www.a.org/a.b).'],
    ['www.a.org/?q=a_(b)c', '[www.a.org/?q=a_(b)c](http://www.a.org/?q=a_(b)c)'],
    ['(www.a.org/?q=(b))', '([www.a.org/?q=(b)](http://www.a.org/?q=(b)))'],
    ['(www.a.org/?q=(b)))', '([www.a.org/?q=(b)](http://www.a.org/?q=(b))))'],
    ['www.a.org/?q=(b))+ok', '[www.a.org/?q=(b))+ok](http://www.a.org/?q=(b))+ok)'],
    ['www.a.org/?q=a&hl=en', '[www.a.org/?q=a&hl=en](http://www.a.org/?q=a&hl=en)'],
    ['www.a.org/?q=a&hl;', '[www.a.org/?q=a](http://www.a.org/?q=a)&hl;'],
    ['www.a.org/he<lp', '[www.a.org/he](http://www.a.org/he)<lp'],
    ['**www.a.org** *www.b.org*', '[www.a.org](http://www.a.org) [www.b.org](http://www.b.org)'],
    ['“www.a.org” xwww.a.org www. www', '“www.a.org” xwww.a.org www. www'],
    ['www.a._b.c www.a.b._c www._a.b.c', 'www.a._b.c www.a.b._c [www._a.b.c](http://www._a.b.c)'],
    ['foo@bar.baz', '[foo@bar.baz](mailto:foo@bar.baz)'],
    [
      'hello@mail+xyz.example is not, hello+xyz@mail.example is.',
      'hello@mail+xyz.example is not, [hello+xyz@mail.example](mailto:hello+xyz@mail.example) is.',
    ],
    ['a.b-c_d@a.b', '[a.b-c_d@a.b](mailto:a.b-c_d@a.b)'],
    ['a.b-c_d@a.b.', '[a.b-c_d@a.b](mailto:a.b-c_d@a.b).'],
    ['a.b-c_d@a.b- a.b-c_d@a.b_ a@b.c.d-', 'a.b-c_d@a.b- a.b-c_d@a.b_ a@b.c.d-'],
    ['a@b a@b.c@d.e @a.b a@', 'a@b a@b.c@d.e @a.b a@'],
    ['mailto:foo@bar.baz/a', '[mailto:foo@bar.baz](mailto:foo@bar.baz)/a'],
    ['<foo@bar.baz>', '[foo@bar.baz](mailto:foo@bar.baz)'],
    [
      '[see www.a.org](https://b.org) `www.a.org a@b.org`',
      '[see www.a.org](https://b.org) www.a.org a@b.org',
    ],
    ['https://b.org/www.a.org', '[https://b.org/www.a.org](https://b.org/www.a.org)'],
  ])('in %j', (source, expected) => expect(links(source)).toBe(expected));
});
