import { Mark } from '../base/Mark.tsx';

/** Shown until main has said whether somebody is signed in (spec §3.1). */
export const Splash = () => (
  <div className="splash">
    <Mark />
  </div>
);
