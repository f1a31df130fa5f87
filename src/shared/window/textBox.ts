import { type PayloadAction, createAction, createSlice } from '@reduxjs/toolkit';
import { textPayload } from './payloads.ts';
import { startFailureChanged } from './startFailure.ts';

/**
 * The text of the text box; `null` while it is closed (spec §4.4.1):
 *
 *     closed ── opened ──▶ open ── edited, refused ──▶ open
 *       ▲                   │
 *       └── closed, sent ───┘
 *
 * The text is dropped when the box closes, and when the window shows no conversation.
 */
type TextBoxState = string | null;

interface Text {
  readonly text: string;
}

const closed = null as TextBoxState;

const slice = createSlice({
  name: 'textBox',
  initialState: closed,
  reducers: {
    /** The person opened the box; `text` is the character that opened it, or empty. */
    opened: { reducer: (_, { payload }: PayloadAction<Text>) => payload.text, prepare: textPayload },
    edited: { reducer: (_, { payload }: PayloadAction<Text>) => payload.text, prepare: textPayload },
    /** The person closed the box, which drops the text. */
    closed: () => closed,
    /** The person sent the text, which closes the box. */
    sent: () => closed,
  },
  extraReducers: (builder) =>
    builder.addCase(startFailureChanged, (text, { payload }) => (payload.failure === null ? text : closed)),
});

export const {
  opened: textBoxOpened,
  edited: textBoxEdited,
  closed: textBoxClosed,
  sent: textBoxSent,
} = slice.actions;

/** The text was too long to be sent; `length` in UTF-16 units. It stays in the box. */
export const textBoxRefused = createAction<{ readonly length: number }>('textBox/refused');

/** Reduces the text box. */
export const textBoxReducer = slice.reducer;
