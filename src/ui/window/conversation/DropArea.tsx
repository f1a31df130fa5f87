import type { DragEvent, ReactNode } from 'react';
import { useOwn } from '../base/useOwn.ts';
import { useWindowActs } from '../base/WindowActs.ts';

const hasFiles = (data: DataTransfer): boolean => data.types.includes('Files');

const allowDrop = (event: DragEvent): void => {
  if (!hasFiles(event.dataTransfer)) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'copy';
};

/** Shows the conversation as an area for files, with a hint while one is dragged over the window (spec §4.4.2). */
export function DropArea({ children }: { readonly children: ReactNode }) {
  const isDragged = useOwn('fileDrop');
  const { dropFile } = useWindowActs();
  return (
    <div className="conversation" onDragOver={allowDrop} onDrop={(event) => dropFile(event.dataTransfer)}>
      {children}
      {isDragged && (
        <div className="drop-here" aria-hidden="true">
          Drop a file to send it
        </div>
      )}
    </div>
  );
}
