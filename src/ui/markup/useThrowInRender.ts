import { useState } from 'react';

/** Returns a function that throws an error while rendering, so that the error boundary catches errors of later tasks too. */
export function useThrowInRender(): (error: unknown) => void {
  const [, setState] = useState<null>(null);
  return (error) =>
    setState(() => {
      throw error;
    });
}
