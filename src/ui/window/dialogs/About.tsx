import type { About as Program } from '#shared/ipc/tools.ts';
import { Mark } from '../base/Mark.tsx';
import { Dialog } from './Dialog.tsx';

interface Props {
  readonly about: Program;
}

/** Shows the program's version and what it runs in. */
export function About({ about }: Props) {
  const facts = [
    ['Version', about.parley],
    ['Runs in', about.host],
    ['Chromium', about.chromium ?? 'another browser'],
    ['Node', about.node],
    ['Licence', about.licence],
  ];
  return (
    <Dialog title="About Parley">
      <div className="about">
        <Mark />
        <p>A messenger for you and an assistant. What you saw can be seen again.</p>
      </div>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
