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
      what: 'the pointer: its moves, what it presses and drags',
      where: 'the browser',
      why: 'It moves many times a second. What a press does is an action.',
    },
    {
      what: 'the view, the zoom of the viewer and the size of the page while they change; the measured rows',
      where: '`useBottom`, `useZoom`, `useRowsInUse`',
      why: 'They change with each pixel. What they rest at is in `own.scrolledTo`, `own.viewerZoom` and `own.page`.',
    },
    {
      what: 'what the search has shown more of, to show a hit; the open `details` of markup',
      where: '`Message`, `ClippedText`, the browser',
      why: 'The one follows from `find/reached`. The other is a part of what the sender wrote.',
    },
    {
      what: 'an entry of the system’s context menu, a link that a person opens elsewhere',
      where: 'Electron, the browser',
      why: 'They act outside of the window: a web page has no menu of ours. A copy of a selection, and a download in Electron, are actions whatever begins them.',
    },
    {
      what: 'how a download ends in a browser, whether a page was printed',
      where: 'the browser, the system',
      why: 'They do not tell the program. In Electron, `download/ended` says how a download ended.',
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
      where: '`recordOnRequest`, `playOnRequest`',
      why: 'They are devices. Their results are `audio/…` and `own.soundProgress`.',
    },
    {
      what: 'parts of the conversation on their way, pictures of long blobs',
      where: '`createPartReader`, the browser’s cache',
      why: 'They are fetched again after a reload; the conversation in main is complete.',
    },
  ];
