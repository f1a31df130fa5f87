import type { Encryption } from '#main/account/accountFile.ts';

/** Creates the encryption of a host, whose key another host does not have. */
export function mainEncryption(key: number): Encryption {
  const applyKey = (bytes: Buffer) => Buffer.from(bytes.map((byte) => byte ^ key));
  return {
    isEncryptionAvailable: () => true,
    encryptString: (plain) => applyKey(Buffer.from(`parley:${plain}`)),
    decryptString(encrypted) {
      const plain = applyKey(encrypted).toString();
      if (!plain.startsWith('parley:')) throw new Error('encrypted with another key');
      return plain.slice('parley:'.length);
    },
  };
}

/** A host without a keyring. */
export const noEncryption: Encryption = {
  isEncryptionAvailable: () => false,
  encryptString: () => {
    throw new Error('there is no keyring');
  },
  decryptString: () => {
    throw new Error('there is no keyring');
  },
};
