import { blobSource } from '#shared/conversation/blobReference.ts';
import type { Conversation, Message } from '#shared/conversation/conversation.ts';
import { displayedCategory } from '#shared/conversation/display.ts';
import { emptyVector, itemAt } from '#shared/conversation/vector.ts';
import type { TimeAt } from '../base/Arrival.tsx';
import { loadMath } from '../markdown/math.ts';
import { imageUrl } from '../base/useImageUrl.ts';
import type { Step } from './createSteps.ts';
import { exportNote, exportTitle, titleElement, withArrivalTime } from './exportTitle.ts';
import { type Addresses, messageElement } from './messageElement.ts';
import { hasItems } from './messageText.ts';

/** The longest time that a print waits for its pictures, in milliseconds. */
const PICTURES_MS = 20_000;

/** The messages that are added to the document together: a change of the document takes longer than one of an element outside of it. */
const SECTION_LENGTH = 500;

interface Options {
  readonly step: Step;
  readonly today: Date;
  readonly timeAt: TimeAt;
}

/**
 * Returns an element with the whole conversation, which is shown only on paper. It is in the document, so that its pictures load; the caller removes it.
 * @throws the error of `step`; then the element is removed.
 */
export async function createPrintArea(
  conversation: Conversation,
  { step, today, timeAt }: Options,
): Promise<HTMLElement> {
  await loadMath();
  // A browser that cannot print does not report the end of the last print.
  document.querySelector('.print-area')?.remove();
  const area = document.createElement('div');
  area.className = 'exported print-area';
  area.append(titleElement(exportTitle(conversation), exportNote(conversation, today)));
  document.body.append(area);
  const { messages } = conversation;
  let section = document.createElement('section');
  try {
    for (let index = 0; index < messages.length; index++) {
      const message = withArrivalTime(itemAt(messages, index) ?? {}, timeAt(index));
      if (hasItems(message))
        section.append(
          messageElement(message, { addresses: pictureAddresses(message, index), hasReasoning: true }),
        );
      if (index % SECTION_LENGTH === SECTION_LENGTH - 1) {
        area.append(section);
        section = document.createElement('section');
      }
      await step(index, messages.length);
    }
    area.append(section);
    await waitForPictures(area);
    return area;
  } catch (error) {
    area.remove();
    throw error;
  }
}

/** Returns the addresses of a message's pictures in the window. */
function pictureAddresses({ content = emptyVector() }: Message, message: number): Addresses {
  const addresses = new Map<number, string>();
  for (let item = 0; item < content.length; item++) {
    const { category, blob } = itemAt(content, item) ?? {};
    if (displayedCategory(category) !== 'image') continue;
    const address = imageUrl(blobSource(blob), { message, item });
    // An inert page has no address, to which a path would be relative.
    if (address !== null) addresses.set(item, new URL(address, document.baseURI).href);
  }
  return addresses;
}

/** Resolves when all pictures are loaded or broken, or after some time. */
async function waitForPictures(area: HTMLElement): Promise<void> {
  const pictures = Array.from(area.querySelectorAll('img'), (picture) =>
    picture.decode().catch(() => undefined),
  );
  const timeout = new Promise((resolve) => {
    setTimeout(resolve, pictures.length === 0 ? 0 : PICTURES_MS);
  });
  await Promise.race([Promise.all(pictures), timeout]);
}
