import { fileDropEntered, fileDropLeft } from '#shared/actions/windowActions.ts';
import { showsConversation } from '../base/showsConversation.ts';
import type { WindowStateStore } from '../store/windowStateStore.ts';

const hasFiles = (data: DataTransfer | null): boolean => data?.types.includes('Files') === true;

/** Follows whether files are dragged over the window while it shows the conversation. */
export function followDrags(target: Window, { getState, dispatch }: WindowStateStore): void {
  const leave = () => {
    if (getState().own.fileDrop) dispatch(fileDropLeft());
  };
  target.addEventListener('dragenter', (event) => {
    const { own } = getState();
    if (hasFiles(event.dataTransfer) && showsConversation(own) && !own.fileDrop) dispatch(fileDropEntered());
  });
  target.addEventListener('dragleave', (event) => {
    // `relatedTarget` is the element that the drag enters; it is `null` when the drag leaves the window.
    if (event.relatedTarget === null) leave();
  });
  target.addEventListener('drop', leave, { capture: true });
}
