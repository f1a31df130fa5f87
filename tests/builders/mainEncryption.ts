import type { Encryption } from '#main/base/storedSecret.ts';

/** Creates the encryption of a host, whose key another host does not have. */
export function mainEncryption(key: number): Encryption {
  const applyKey = (bytes: Buffer) => Buffer.from(bytes.map((byte) => byte ^ key));
  return {
    isAsyncEncryptionAvailable: async () => true,
    encryptStringAsync: async (plain) => applyKey(Buffer.from(`parley:${plain}`)),
    async decryptStringAsync(encrypted) {
      const plain = applyKey(encrypted).toString();
      if (!plain.startsWith('parley:')) throw new Error('encrypted with another key');
      return { result: plain.slice('parley:'.length), shouldReEncrypt: false };
    },
  };
}

/** A host without a keyring. */
export const noEncryption: Encryption = {
  isAsyncEncryptionAvailable: async () => false,
  encryptStringAsync: async () => {
    throw new Error('there is no keyring');
  },
  decryptStringAsync: async () => {
    throw new Error('there is no keyring');
  },
};
