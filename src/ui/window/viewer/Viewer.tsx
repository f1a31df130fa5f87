import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { useSelector } from 'react-redux';
import { clip } from '#shared/formatText.ts';
import type { SharedState } from '#shared/store/rootReducer.ts';
import type { ItemPlace } from '#shared/conversation/blobReference.ts';
import { itemSaved } from '#shared/actions/outputActions.ts';
import { imageOpened, viewerClosed } from '#shared/actions/windowActions.ts';
import { NAME_LENGTH } from '#ui/base/longText.ts';
import { Name } from '#ui/base/ClippedText.tsx';
import { CloseIcon } from '#ui/base/icons.tsx';
import { savedUrl, useImageUrl } from '#ui/base/useImageUrl.ts';
import { safeFileName } from '#shared/safeFileName.ts';
import { OpenImageContext } from '#ui/ImageItem.tsx';
import { useLive, useWindowState, usePicture } from '../base/Picture.ts';
import { QUIETLY, useWindowCommands } from '../base/WindowCommands.ts';
import { type FoundImage, imageAt, nextImage } from './findImage.ts';
import { useZoom } from './useZoom.ts';
import { ViewerImage } from './ViewerImage.tsx';
import { type ViewerCommand, viewerCommand } from './viewerCommand.ts';

/** Shows the open image in front of the window, if any. */
export function Viewer() {
  const place = useWindowState('viewer');
  return place === null ? null : <OpenPlace place={place} />;
}

const selectConversation = (state: SharedState) => state.conversation;

/** Shows the image at a place. Closes the viewer when there is no image any more. */
function OpenPlace({ place }: { readonly place: ItemPlace }) {
  const conversation = useSelector(selectConversation);
  const { dispatch } = useWindowCommands();
  const isPicture = usePicture() !== null;
  const image = useMemo(() => imageAt(conversation, place), [conversation, place]);
  const previous = useMemo(() => nextImage(conversation, place, -1), [conversation, place]);
  const next = useMemo(() => nextImage(conversation, place, 1), [conversation, place]);
  const isGone = image === undefined;
  useEffect(() => {
    if (isGone && !isPicture) dispatch(viewerClosed());
  }, [isGone, isPicture, dispatch]);
  return image === undefined ? null : <OpenImage image={image} previous={previous} next={next} />;
}

interface ImageProps {
  readonly image: FoundImage;
  readonly previous: ItemPlace | undefined;
  readonly next: ItemPlace | undefined;
}

/**
 * Shows an image in a modal dialog, until its button or Escape closes it. Then the focus returns to the previous element. The dialog itself has the
 * focus at first, and when a button that had it is disabled or gone: its keys work there, and a key that is held down presses no button.
 */
function OpenImage({ image, previous, next }: ImageProps) {
  const commands = useWindowCommands();
  const dialog = useRef<HTMLDialogElement>(null);
  const zoom = useZoom(image.place);
  useLayoutEffect(() => {
    const element = dialog.current;
    commands.showModal(element);
    commands.focus(element, QUIETLY);
    return () => element?.close();
  }, [commands]);
  useLayoutEffect(() => {
    if (hasLostFocus(dialog.current)) commands.focus(dialog.current, QUIETLY);
  });
  const closed = () => {
    if (dialog.current !== null) commands.dispatch(viewerClosed());
  };
  const perform = (command: ViewerCommand) => {
    if (command === 'close') return dialog.current?.close();
    if (command !== 'previous' && command !== 'next') return zoom.perform(command);
    const place = command === 'next' ? next : previous;
    return place && commands.dispatch(imageOpened(place));
  };
  const pressed = (event: KeyboardEvent) => {
    const command = viewerCommand(event, zoom.isLarger());
    if (command === null) return;
    event.preventDefault();
    perform(command);
  };
  const name = clip(image.name, NAME_LENGTH) || 'Image';
  return (
    // The keys of the viewer; its buttons do the same.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className="viewer"
      tabIndex={-1}
      aria-label={name}
      onClose={closed}
      onKeyDown={pressed}
    >
      <ViewerBar image={image} name={name} hasPrevious={!!previous} hasNext={!!next} perform={perform} />
      <ViewerImage key={`${image.place.message} ${image.place.item}`} image={image} name={name} zoom={zoom} />
    </dialog>
  );
}

/** Returns whether the element with the focus does not take keys any more, or is gone. */
const hasLostFocus = (dialog: HTMLElement | null): boolean => {
  const { activeElement } = document;
  return activeElement === document.body || (dialog?.querySelector(':disabled:focus') ?? null) !== null;
};

/** The length of the name that is shown, in UTF-16 units. */
const TITLE_LENGTH = 60;

interface ViewerBarProps {
  readonly image: FoundImage;
  readonly name: string;
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
  readonly perform: (command: ViewerCommand) => void;
}

/** Shows the image's name and the buttons of the viewer. */
function ViewerBar({ image, name, hasPrevious, hasNext, perform }: ViewerBarProps) {
  const url = useImageUrl(image.blob, image.place) ?? savedUrl(image.blob, image.place);
  const live = useLive();
  const { dispatch } = useWindowCommands();
  return (
    <div className="viewer-bar">
      <h2 dir="auto" title={name} aria-live={live}>
        <Name text={name} length={TITLE_LENGTH} />
      </h2>
      <SignButton
        label="Previous image"
        sign="‹"
        isEnabled={hasPrevious}
        onPress={() => perform('previous')}
      />
      <SignButton label="Next image" sign="›" isEnabled={hasNext} onPress={() => perform('next')} />
      <SignButton label="Zoom out" sign="−" onPress={() => perform('zoomOut')} />
      <SignButton label="Zoom in" sign="+" onPress={() => perform('zoomIn')} />
      <button type="button" className="quiet" onClick={() => perform('fit')}>
        Fit
      </button>
      {url !== null && (
        <a
          className="quiet"
          href={url}
          download={safeFileName(image.name)}
          aria-label="Save image"
          title="Save image"
          onClick={() => dispatch(itemSaved({ ...image.place, by: 'viewer', outcome: 'started' }))}
        >
          Save
        </a>
      )}
      <button
        type="button"
        className="quiet"
        aria-label="Close"
        title="Close"
        onClick={() => perform('close')}
      >
        <CloseIcon />
      </button>
    </div>
  );
}

interface ButtonProps {
  readonly label: string;
  readonly sign: string;
  readonly isEnabled?: boolean;
  readonly onPress: () => void;
}

/** Shows a button with a sign. */
const SignButton = ({ label, sign, isEnabled = true, onPress }: ButtonProps) => (
  <button
    type="button"
    className="quiet"
    aria-label={label}
    title={label}
    disabled={!isEnabled}
    onClick={onPress}
  >
    <span aria-hidden="true">{sign}</span>
  </button>
);

/** Lets the images in `children` open the viewer. */
export function OpenImageProvider({ children }: { readonly children: ReactNode }) {
  const { dispatch } = useWindowCommands();
  const open = useCallback((place: ItemPlace) => dispatch(imageOpened(place)), [dispatch]);
  return <OpenImageContext value={open}>{children}</OpenImageContext>;
}
