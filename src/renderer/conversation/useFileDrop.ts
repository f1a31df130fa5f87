import { type DragEvent, useEffect, useState } from 'react';

const hasFiles = (data: DataTransfer | null): boolean => data?.types.includes('Files') === true;

/** Whether files are being dragged over the window, and what the place where they may be dropped listens to. */
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
    // Leaving one element for another names the other; leaving the window names none.
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
