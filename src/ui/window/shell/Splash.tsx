import { Mark } from '../base/Mark.tsx';

/** Shows the logo until main reports whether a person is signed in (spec §3.1). */
export const Splash = () => (
  <div className="splash">
    <Mark />
  </div>
);
