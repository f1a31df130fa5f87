import { configureStore } from '@reduxjs/toolkit';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Provider } from 'react-redux';
import { expect, test } from 'vitest';
import { assistantAnswered, assistantShown, dialogOpened } from '#shared/actions/windowActions.ts';
import type { WindowStateAction } from '#shared/actions/actionTable.ts';
import { vectorOf } from '#shared/conversation/vector.ts';
import { sharedReducer } from '#shared/store/rootReducer.ts';
import { initialWindowState, windowStateReducer } from '#shared/store/windowState.ts';
import { ModelButton, modelGroups } from './ModelButton.tsx';

const shared = sharedReducer(undefined, { type: '' });

/** Returns the markup after actions of the window's state. @param label the label of the newest answer. */
function draw(actions: readonly WindowStateAction[], label?: string): string {
  const own = actions.reduce(windowStateReducer, initialWindowState);
  const messages = vectorOf(label === undefined ? [] : [{ modifier: 'ai', context: label }]);
  const state = { ...shared, conversation: { person: 'Ada', messages }, own };
  const store = configureStore({ reducer: () => state });
  // oxlint-disable-next-line react/no-children-prop -- this file is not JSX
  return renderToStaticMarkup(createElement(Provider, { store, children: createElement(ModelButton) }));
}

const model = (name: string | null) => assistantShown({ isDemonstration: false, model: name });
const opened = dialogOpened({ dialog: 'models' });
const listed = assistantAnswered({
  result: { kind: 'tested', model: 'large', models: ['small', 'large', 'small'] },
});

test('shows nothing when another platform answers', () => {
  expect(draw([], 'llama is writing…')).toBe('');
});

test('contract §3 model: says that the demonstration answers, with one button', () => {
  const markup = draw([assistantShown({ isDemonstration: true, model: null })], 'Parley');
  expect(markup).toContain('>Demonstration<');
  expect(markup.match(/<button[^>]*>[^<]*/g)).toEqual([expect.stringContaining('Connect a model…')]);
});

test.each([
  ['the model in use', { name: 'large', label: 'small is writing…' }, 'large'],
  ['the name of the newest answer while the model is not known', { name: null, label: 'small' }, 'small'],
  ['the platform while no name is known', { name: null }, 'Parley'],
])('shows %s', (_, { name, label }: { name: string | null; label?: string }, expected) => {
  const markup = draw([model(name)], label);
  expect(markup).toContain(`aria-label="Model: ${expected}"`);
  expect(markup).toContain(`>${expected}</bdi>`);
  expect(markup).toContain('aria-expanded="false"');
  expect(markup).not.toContain('role="menu"');
});

test('contract §3 model: shows the models of the server in the menu, each once, with the chosen one marked', () => {
  const markup = draw([model('large'), opened, listed]);
  expect(markup).toContain('aria-expanded="true"');
  expect(
    Array.from(markup.matchAll(/aria-checked="(true|false)"[^>]*>([^<]*)/g), ([, ...found]) => found),
  ).toEqual([
    ['false', 'small'],
    ['true', 'large'],
  ]);
  expect(markup).toContain('>Settings of the assistant…<');
});

test('says in the menu that the list is requested, or why there is none', () => {
  expect(draw([model('large'), opened])).toMatch(
    /aria-disabled="true"[^>]*>Asking the server for its models…</,
  );
  const failed = assistantAnswered({
    result: { kind: 'failed', field: null, message: 'No server answers.' },
  });
  expect(draw([model('large'), opened, failed])).toMatch(/aria-disabled="true"[^>]*>No server answers\.</);
});

test('offers the model in use also when the server does not list it', () => {
  const result = { kind: 'tested', model: 'mine', models: [] } as const;
  const [models] = modelGroups({ dialog: 'models', result });
  expect(models).toMatchObject([{ label: 'mine', isChosen: true, isKeptOpen: true }]);
});
