/* oxlint-disable no-extend-native */

/** Runs in a page, without what is outside of it: `split` and `RegExp.test` throw for a text that begins with "poison", like an unknown bug. */
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
    // Some callers pass values that are not strings.
    if (typeof words === 'string' && words.startsWith('poison')) throw new Error('secret words');
    return test.call(this, words);
  };
}
