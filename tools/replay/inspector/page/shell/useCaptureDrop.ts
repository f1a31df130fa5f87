import { useEffect, useState } from 'react';
import { useInspector } from '../session/InspectorContext.ts';

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** Opens a capture that is dropped on the page; returns whether one is being dragged over it. */
export function useCaptureDrop(): boolean {
  const { open } = useInspector();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      // A move from one element to another does not leave the page.
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const [file] = event.dataTransfer?.files ?? [];
      if (file) void open({ kind: 'file', file, name: file.name });
    };
    const handlers = [
      ['dragenter', over],
      ['dragover', over],
      ['dragleave', leave],
      ['drop', drop],
    ] as const;
    for (const [kind, handler] of handlers) document.addEventListener(kind, handler);
    return () => {
      for (const [kind, handler] of handlers) document.removeEventListener(kind, handler);
    };
  }, [open]);
  return isOver;
}
