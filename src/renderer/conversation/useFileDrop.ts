import { type DragEvent, useEffect, useState } from 'react';

const hasFiles = (data: DataTransfer | null): boolean => data?.types.includes('Files') === true;

/** Returns whether files are dragged over the window, and the event handlers of the drop area. */
export function useFileDrop(onDrop: (data: DataTransfer) => void) {
  const isDragging = useIsDragging();
  return {
    isDragging,
    handlers: {
      onDragOver(event: DragEvent) {
        if (!hasFiles(event.dataTransfer)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      },
      onDrop: (event: DragEvent) => onDrop(event.dataTransfer),
    },
  };
}

function useIsDragging(): boolean {
  const [isDragging, setDragging] = useState(false);
  useEffect(() => {
    const enter = (event: globalThis.DragEvent) => hasFiles(event.dataTransfer) && setDragging(true);
    // `relatedTarget` is the element that the drag enters; it is `null` when the drag leaves the window.
    const leave = (event: globalThis.DragEvent) => event.relatedTarget === null && setDragging(false);
    const end = () => setDragging(false);
    window.addEventListener('dragenter', enter);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', end, { capture: true });
    return () => {
      window.removeEventListener('dragenter', enter);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', end, { capture: true });
    };
  }, []);
  return isDragging;
}
