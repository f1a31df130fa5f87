/**
 * The baseline of a sign-in: calls authenticate-pam in a loop. Arguments: the PAM service and the number of calls at once. A
 * message on the IPC channel names the account and the number of sign-ins; the answer follows the last one.
 */
import { z } from 'zod';
import { loadPamBinding } from '#hostauth/helper/pam/pamBinding.ts';

const [, , service = '', concurrency = '1'] = process.argv;
const pam = loadPamBinding();
const order = z.strictObject({ username: z.string(), password: z.string(), times: z.int() });

const signIn = (username: string, password: string) =>
  new Promise<void>((resolve, reject) => {
    pam.authenticate(
      username,
      password,
      (error) => (error === undefined ? resolve() : reject(new Error(error))),
      { serviceName: service, remoteHost: '' },
    );
  });

async function run(message: unknown): Promise<void> {
  const { username, password, times } = order.parse(message);
  let left = times;
  const signInRepeatedly = async () => {
    while (left-- > 0) await signIn(username, password);
  };
  await Promise.all(Array.from({ length: Number(concurrency) }, signInRepeatedly));
  process.send?.('done');
}

process.on('message', (message) => void run(message));
