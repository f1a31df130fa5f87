import { expect, test } from 'vitest';
import { plainProse } from './plainProse.ts';

test.each([
  ['words', 'words'],
  ['**strong** and *soft* and __strong__ and _soft_', 'strong and soft and strong and soft'],
  ['***both***', 'both'],
  ['**a *b* c**', 'a b c'],
  ['这是**重点**内容', '这是重点内容'],
  ['snake_case and __init__.py', 'snake_case and init.py'],
  ['2*3*4 and 2 * 3 * 4', '2*3*4 and 2 * 3 * 4'],
  ['~~old~~ and `co*d*e` and ``a`b``', '~~old~~ and `co*d*e` and ``a`b``'],
  ['**open and `open', '**open and `open'],
  ['[text](https://example.org/a)', 'text (https://example.org/a)'],
  ['[**text**](<https://example.org/a b> "title").', 'text (https://example.org/a b).'],
  ['[https://example.org](https://example.org)', 'https://example.org'],
  ['[a@b.org](mailto:a@b.org)', 'a@b.org'],
  ['[a](javascript:alert(1)) [b](data:text/html,x)', 'a b'],
  ['[a](docs/a.md)', 'a (docs/a.md)'],
  ['![A map](https://example.org/m.png)', 'A map (https://example.org/m.png)'],
  ['[![a](https://b.org/c.png)](https://d.org)', 'a (https://b.org/c.png) (https://d.org)'],
  ['![](https://example.org/m.png)', 'https://example.org/m.png'],
  ['[a] [b][c] [^1] a](b)', '[a] [b][c] [^1] a](b)'],
  ['<https://example.org/a>', 'https://example.org/a'],
  ['<b>bold</b> <script>', '<b>bold</b> <script>'],
  ['one<br>two<br/>three', 'one\ntwo\nthree'],
  ['\\*not\\* \\[x\\] \\(y\\)', '*not* \\[x\\] \\(y\\)'],
  ['a &amp; b &lt;c&gt; &unknown; AT&T', 'a & b <c> &unknown; AT&T'],
  ['one  \ntwo\\\n   three', 'one\ntwo\nthree'],
  ['<br>', '<br>'],
  ['[](javascript:x)', '[](javascript:x)'],
  ['## Heading ##', 'Heading'],
  ['####### seven', '####### seven'],
  ['#hashtag', '#hashtag'],
  ['Title\n=====', 'Title'],
  ['Title\n---', 'Title'],
])('shows %j as %j', (markdown, plain) => {
  expect(plainProse(markdown, false)).toBe(plain);
});

test.each([
  ['This is **import', 'This is import'],
  ['This is *', 'This is'],
  ['This is **', 'This is'],
  ['This is **important**', 'This is important'],
  ['This is *import', 'This is *import'],
  ['`a *` b', '`a *` b'],
])('hides a marker that is not closed yet: %j is %j', (markdown, plain) => {
  expect(plainProse(markdown, true)).toBe(plain);
});
