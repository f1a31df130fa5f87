import { expect, test } from 'vitest';
import { assistantVariables } from './setUpAssistant.ts';

test('is undefined when no variable has a value', () => {
  expect(assistantVariables({ PARLEY_ASSISTANT_URL: '', PARLEY_ASSISTANT_MODEL: ' ' })).toBeUndefined();
});

test('shows the values and the names of the variables, and no key', () => {
  const environment = {
    PARLEY_ASSISTANT_URL: 'http://127.0.0.1:11434',
    PARLEY_ASSISTANT_PROMPT: 'Be short.\n',
    PARLEY_ASSISTANT_KEY: 'sk-of-ada',
    PARLEY_AUDIO: '1',
  };
  expect(assistantVariables(environment)).toEqual({
    url: 'http://127.0.0.1:11434',
    model: '',
    prompt: 'Be short.',
    hasKey: true,
    variables: ['PARLEY_ASSISTANT_URL', 'PARLEY_ASSISTANT_KEY', 'PARLEY_ASSISTANT_PROMPT'],
  });
});

test('has a key when a file of the environment contains it', () => {
  const environment = { PARLEY_ASSISTANT_URL: 'http://a', PARLEY_ASSISTANT_KEY_FILE: '/run/key' };
  expect(assistantVariables(environment)).toMatchObject({ hasKey: true });
  expect(assistantVariables({ PARLEY_ASSISTANT_URL: 'http://a' })).toMatchObject({ hasKey: false });
});
