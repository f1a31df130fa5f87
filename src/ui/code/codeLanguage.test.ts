import { expect, test } from 'vitest';
import { codeLanguage, languageLabel } from './codeLanguage.ts';

test.each([
  ['language-ts', 'ts', 'TypeScript'],
  ['hljs LANG-Py x', 'py', 'Python'],
  ['lang-c++', 'c++', 'C++'],
  ['language-brainfuck', 'brainfuck', 'brainfuck'],
])('reads the language of the class %j', (classes, language, label) => {
  expect(codeLanguage(classes)).toBe(language);
  expect(languageLabel(language)).toBe(label);
});

test.each(['', 'ts', 'language-', 'xlanguage-ts', 'language-a"b', `language-${'x'.repeat(31)}`])(
  'reads no language of the class %j',
  (classes) => expect(codeLanguage(classes)).toBeNull(),
);
