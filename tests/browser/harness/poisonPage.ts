/* oxlint-disable no-extend-native */

/**
 * Runs in a page: a text that begins with "poison" makes `split` and the tests of regular expressions fail, as an unknown error of ours would. Thus a
 * sound, an avatar or a name can fail while it is rendered. It must stand alone: its source is what is sent.
 */
export function poisonPage(): void {
  const { split } = String.prototype;
  Object.defineProperty(String.prototype, 'split', {
    value(this: string, ...args: Parameters<typeof split>) {
      if (this.startsWith('poison')) throw new Error('secret words');
      return split.apply(this, args);
    },
  });
  const { test } = RegExp.prototype;
  RegExp.prototype.test = function testUnlessPoison(this: RegExp, words: string) {
    // Some pass other values than texts.
    if (typeof words === 'string' && words.startsWith('poison')) throw new Error('secret words');
    return test.call(this, words);
  };
}
