import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useSelector } from 'react-redux';
import { clip } from '#shared/clip.ts';
import type { SharedState } from '#shared/store/rootReducer.ts';
import type { ItemPlace } from '#shared/conversation/sounds.ts';
import { imageOpened, viewerClosed } from '#shared/window/viewer.ts';
import { NAME_LENGTH } from '#ui/base/splitIntoBlocks.ts';
import { usePicture } from '../base/Picture.ts';
import { QUIETLY } from '../base/quietly.ts';
import { useOwn } from '../base/useOwn.ts';
import { useWindowActs } from '../base/WindowActs.ts';
import { type FoundImage, imageAt, nextImage } from './findImage.ts';
import { useZoom } from './useZoom.ts';
import { ViewerBar } from './ViewerBar.tsx';
import { ViewerImage } from './ViewerImage.tsx';
import { type ViewerAct, viewerAct } from './viewerAct.ts';

/** Shows the open image in front of the window, if any. */
export function Viewer() {
  const place = useOwn('viewer');
  return place === null ? null : <OpenPlace place={place} />;
}

const selectConversation = (state: SharedState) => state.conversation;

interface PlaceProps {
  readonly place: ItemPlace;
}

/** Shows the image at a place. Closes the viewer when there is no image any more. */
function OpenPlace({ place }: PlaceProps) {
  const conversation = useSelector(selectConversation);
  const { dispatch } = useWindowActs();
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
  const acts = useWindowActs();
  const dialog = useRef<HTMLDialogElement>(null);
  const zoom = useZoom(image.place);
  useLayoutEffect(() => {
    const element = dialog.current;
    acts.showModal(element);
    acts.focus(element, QUIETLY);
    return () => element?.close();
  }, [acts]);
  useLayoutEffect(() => {
    if (hasLostFocus(dialog.current)) acts.focus(dialog.current, QUIETLY);
  });
  const closed = () => {
    if (dialog.current !== null) acts.dispatch(viewerClosed());
  };
  const perform = (act: ViewerAct) => {
    if (act === 'close') return dialog.current?.close();
    if (act !== 'previous' && act !== 'next') return zoom.perform(act);
    const place = act === 'next' ? next : previous;
    return place && acts.dispatch(imageOpened(place));
  };
  const pressed = (event: KeyboardEvent) => {
    const act = viewerAct(event, zoom.isLarger());
    if (act === null) return;
    event.preventDefault();
    perform(act);
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
