import { expect, test, vi } from 'vitest';
import { highlightPiece } from './highlightPiece.ts';
import { splitCode } from './decorateCode.ts';
import { codeLanguage, languageLabel } from './codeLanguage.ts';
import { decodeText, fetchText, inlineText } from '../FileText.tsx';

function tokensOf(language: string, pieces: readonly string[]) {
  let before = '';
  return pieces.flatMap((piece) => {
    const { tokens, context } = highlightPiece(language, before, piece);
    before = context;
    return tokens;
  });
}

/** Pieces of code in some languages, with code in another language within code, and comments that continue in the next pieces. */
const SAMPLES: readonly (readonly [language: string, ...pieces: string[]])[] = [
  ['ts', '@a export function add(a = "x") {\n  return /b/u.test(a) + `${12}` && true; // sum\n}\n'],
  ['js', 'let a;\n/* one\n', 'two\n', 'three */\nlet b;\n'],
  ['html', '<p class="a">b &amp;\n<!-- one\n', 'two -->\n', '<b>x</b>\n', '<script>return 1;</script>\n'],
  ['markdown', '# a\n> b <c>\n- [d](https://e.org) `f`\n'],
  ['diff', '@@ -1 +1 @@\n-a\n+b\n'],
  ['css', '@media print { a#b.c[d]:hover { color: #fff; width: 1px } }\n'],
  ['bash', '#!/bin/sh\nif [ "$a" ]; then echo $b; fi\n'],
  ['python', 'class A(B):\n    """c"""\n    def d(self, e: int = None): return len(e)\n'],
  ['yaml', 'a: &b true\nc: "d"\n'],
];

test('colours code in some languages, and continues a comment in the next pieces', async () => {
  const samples = SAMPLES.map(([language, ...pieces]) => {
    const tokens = tokensOf(language, pieces).map(
      ({ kind, text }) => `${kind ?? ''} ${JSON.stringify(text)}`,
    );
    return [`## ${language}`, ...tokens, ''].join('\n');
  });
  await expect(samples.join('\n')).toMatchFileSnapshot('testing/tokens.txt');
});

const languages = ['ts', 'python', 'xml', 'markdown', 'php', 'bash', 'no-such-language'];

test.each(languages)('changes no character of the code in the language %s', (language) => {
  const code = 'a <b c="d">\n"""x\n/* \'\n${y} `\n\r\n# é 😀 <?php $a; ?>\n'.repeat(60);
  const tokens = tokensOf(language, splitCode(code));
  expect(tokens.map(({ text }) => text).join('')).toBe(code);
});

test('splits code after line ends, leaves a very long line in one piece and, as code in no known language, as it is, and reads no long context again', () => {
  const line = `const a = "${'x'.repeat(300)}";\n`;
  expect(tokensOf('js', [line])).toEqual([{ text: line, kind: null }]);
  expect(tokensOf('no-such-language', ['const a;'])).toEqual([{ text: 'const a;', kind: null }]);
  expect(tokensOf('js', [`'${'x'.repeat(298)}'`])).toMatchObject([{ kind: 'string' }]);
  const comments = [998, 999].map((lines) => `/* \n${'a\n'.repeat(lines)}`);
  expect(comments.map((one) => highlightPiece('js', '', one).context.length)).toEqual([2000, 0]);
  const pieces = splitCode('line of code\n'.repeat(500));
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.every((piece) => piece.endsWith('\n') && piece.length <= 2000)).toBe(true);
  expect(pieces.join('')).toBe('line of code\n'.repeat(500));
  const long = 'x'.repeat(5000);
  expect(['', long, `${long}\nb`].map(splitCode)).toEqual([[], [long], [`${long}\n`, 'b']]);
});

test.each<[string, string | null, string]>([
  ['language-ts', 'ts', 'TypeScript'],
  ['hljs LANG-Py x', 'py', 'Python'],
  ['language-brainfuck', 'brainfuck', 'brainfuck'],
  ['ts', null, ''],
  ['xlanguage-ts', null, ''],
  ['language-a"b', null, ''],
  [`language-${'x'.repeat(31)}`, null, ''],
])('reads the language of the class %j: %j', (classes, language, label) => {
  expect(codeLanguage(classes)).toBe(language);
  expect(language === null ? '' : languageLabel(language)).toBe(label);
});

test.each<[string, number[], string | null, boolean?]>([
  ['the beginning of a text that is cut within a character', [72, 195], 'H', false],
  ['text in UTF-8', [72, 195, 169, 10, 9, 33], 'Hé\n\t!'],
  ['text after a byte order mark', [0xef, 0xbb, 0xbf, 72], 'H'],
  ['bytes that are not UTF-8', [72, 255, 72], null],
  ['bytes with a zero', [72, 0, 72], null],
  ['a PDF', Array.from('%PDF-1.4', (one) => one.charCodeAt(0)), null],
])('reads %s', (...[, list, expected, isWhole = true]) => {
  expect(decodeText(Uint8Array.from(list), isWhole)).toBe(expected);
});

test('reads a short file, or the beginning of a longer one, from base64 or from main, and cancels the rest', async () => {
  expect(inlineText(btoa('one\ntwo'), 100)).toEqual({ most: 100, text: 'one\ntwo', isWhole: true });
  expect(inlineText(btoa('ab\xC3\xA9'.repeat(9)), 3)).toEqual({ most: 3, text: 'ab', isWhole: false });
  expect(inlineText('*', 100)).toBe(null);
  const cancel = vi.fn<() => void>();
  const body = new ReadableStream({ pull: (to) => to.enqueue(Buffer.from('é\n')), cancel });
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body)));
  const read = await fetchText('/blob', 4, new AbortController().signal);
  vi.unstubAllGlobals();
  expect([cancel.mock.calls.length, read]).toEqual([1, { most: 4, text: 'é\n', isWhole: false }]);
});
