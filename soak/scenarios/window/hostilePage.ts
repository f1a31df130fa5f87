import { numberedMessage } from '../../harness/frames.ts';
import { openPage, showsNewest } from '../../harness/openPage.ts';
import { startSignedIn } from '../../harness/startSignedIn.ts';
import { scenario } from '../../run/scenario.ts';

/** Keeps the page's own socket in `window.soakSocket`. */
const KEEP_SOCKET = `
  const Original = window.WebSocket;
  window.WebSocket = class extends Original {
    constructor(...args) {
      super(...args);
      window.soakSocket = this;
    }
  };`;

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** Frames that the messenger's page never sends: lengths, depths and names that could end the host or fill its memory. */
const HOSTILE = [
  '["send","message",[[-7,4294967295,0,1],1]]',
  '["send","message",[[1],[-7,4294967295,0,1]]]',
  '["invoke",1,"auth",[[-7,4294967295,0,1],1]]',
  '["send","message",[["__proto__"],1]]',
  '["send","__proto__",[[]]]',
  `["send","message",${deep(5000)}]`,
  `["shortcut","${'x'.repeat(1_000_000)}"]`,
  '["invoke",1e308,"encode",[["ArrayBuffer","AAAA"]]]',
  'x',
  '{}',
  '[]',
  '[[]]',
];
const MEMORY_MB = 200;

/** An authenticated page that sends hostile frames. */
export const hostilePage = scenario({
  name: 'hostile-page',
  sentence: 'An authenticated page sends hostile bridge frames; the host refuses them and stays usable.',
  short: { rounds: 1 },
  long: { rounds: 20 },
  async run(soak, { rounds }) {
    const { messenger, socket } = await startSignedIn(soak);
    const before = messenger.memory().resident;
    const { page } = await openPage(soak, messenger.url, KEEP_SOCKET);
    for (let round = 0; round < rounds; round++) {
      for (const [index, frame] of HOSTILE.entries()) {
        soak.showProgress(`round ${round + 1}, frame ${index + 1} of ${HOSTILE.length}`);
        await soak.waitFor('the page connects again', 10, () =>
          page.evaluate('window.soakSocket.readyState === 1').catch(() => false),
        );
        await page.evaluate((text) => {
          const own: unknown = Reflect.get(window, 'soakSocket');
          if (own instanceof WebSocket) own.send(text);
        }, frame);
        await soak.waitFor('the host answers within 10 s of a hostile frame', 10, async () =>
          Promise.race([messenger.evaluate('1'), messenger.ended.then(() => false as const)]).catch(
            () => false,
          ),
        );
      }
    }
    soak.check('the messenger runs', messenger.isRunning());
    const grown = messenger.memory().peak - before;
    soak.addFigure('most memory above the start', grown, 'MB');
    soak.check(`its memory grows by less than ${MEMORY_MB} MB`, grown < MEMORY_MB, `${grown.toFixed(0)} MB`);

    socket.send({ person: 'Ada Lovelace', messages: [numberedMessage(1)] });
    await soak.waitFor('a good conversation arrives in the window', 20, showsNewest(page, 1));
  },
});
