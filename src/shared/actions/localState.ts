/** What a window keeps outside its store, and why. docs/actions.md contains it. */
export const LOCAL_STATE: readonly { readonly what: string; readonly where: string; readonly why: string }[] =
  [
    {
      what: 'the password',
      where: 'the element of the form, `createSignInForm`',
      why: 'It must be in no state, action, log or capture.',
    },
    {
      what: 'what a person enters in the dialog *Assistant*',
      where: 'the elements of its form',
      why: 'The key must be in no state, action, log or capture. The other fields are in `dialog/opened` as they are stored.',
    },
    {
      what: 'focus, caret, selection, text that an input method composes',
      where: 'the browser',
      why: 'The browser owns them; a caret in every action of the text box would double the log.',
    },
    {
      what: 'the last texts that left the text box, and the draft for the next load of the page',
      where: '`createTextMemory`, the page’s session storage',
      why: 'What a person recalls of them is an action of the text box. A log out deletes them.',
    },
    {
      what: 'the hovered or pressed element, animations',
      where: 'CSS',
      why: 'They say nothing about the conversation, and change many times a second.',
    },
    {
      what: 'the exact scroll position, the measured rows',
      where: '`useBottom`, `useRowsInUse`',
      why: 'They depend on the window’s size and fonts. The intent, to stay at the bottom, is in `own.scroll`.',
    },
    {
      what: 'what a reader has opened: *Show all*, *Show source*, *Show more*, the whole of a clipped text',
      where: '`SafeHtml`, `ItemSource`, `Message`, `ClippedText`',
      why: 'It belongs to one drawn item and is lost when the row leaves the screen.',
    },
    {
      what: 'pictures that the browser cannot decode, markup that is being parsed',
      where: '`ImageItem`, `Message`, `SafeHtml`',
      why: 'It follows from the content and the browser.',
    },
    {
      what: 'the seconds left of a recording',
      where: '`MicrophoneButton`',
      why: 'They follow from `audio/recordingStarted` and the clock.',
    },
    {
      what: 'what a screen reader announces',
      where: '`Announcer`',
      why: 'It follows from the changes of the conversation.',
    },
    {
      what: 'sound: the recorded chunks, the playing element',
      where: '`followCapture`, `followSound`',
      why: 'They are devices. Their results are `audio/…` and `own.soundProgress`.',
    },
    {
      what: 'parts of the conversation on their way, pictures of long blobs',
      where: '`createPartReader`, the browser’s cache',
      why: 'They are fetched again after a reload; the conversation in main is complete.',
    },
  ];
