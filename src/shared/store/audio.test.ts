import type { UnknownAction } from '@reduxjs/toolkit';
import { expect, test } from 'vitest';
import { type AudioState, audioReducer } from './audio.ts';
import {
  audioStarted,
  audioStopped,
  playbackCancelled,
  playbackEnded,
  playbackStarted,
  recordingCancelled,
  recordingStarted,
  recordingStopped,
} from '../actions/mainActions.ts';

const one = { id: 'a', message: 0, item: 1 };
const two = { id: 'b', message: 3, item: 0 };

const off: AudioState = { isOn: false, isRecording: false, playing: null };
const on: AudioState = { ...off, isOn: true };
const recording: AudioState = { ...on, isRecording: true };
const playing: AudioState = { ...on, playing: one };

test.each<[AudioState, UnknownAction, AudioState]>([
  [off, audioStarted(), on],
  [on, audioStopped(), off],
  [recording, audioStopped(), off],
  [playing, audioStopped(), off],
  [on, recordingStarted(), recording],
  [recording, recordingStopped(), on],
  [recording, recordingCancelled(), on],
  [on, playbackStarted(one), playing],
  [playing, playbackStarted(two), { ...on, playing: two }],
  [playing, playbackEnded(), on],
  [playing, playbackCancelled(), on],
  [playing, recordingStarted(), { ...playing, isRecording: true }],
  [recording, playbackStarted(one), { ...recording, playing: one }],
])(
  'spec §3.3 row 1, §3.3 row 3, §3.3 row 4: turns %j with the action %j into %j',
  (before, action, after) => {
    expect(audioReducer(before, action)).toEqual(after);
  },
);

test.each<[string, AudioState, UnknownAction]>([
  ['off', off, recordingStarted()],
  ['off', off, recordingStopped()],
  ['off', off, playbackStarted(one)],
  ['off', off, playbackEnded()],
  ['idle', on, playbackEnded()],
  ['not recording', on, recordingStopped()],
  ['not recording', on, recordingCancelled()],
  ['on', on, { type: 'session/launched' }],
])('spec §3.3: when %s, keeps the state %j at the action %j', (_, state, action) => {
  expect(audioReducer(state, action)).toBe(state);
});

test('is off at first', () => {
  expect(audioReducer(undefined, { type: '' })).toEqual(off);
});
