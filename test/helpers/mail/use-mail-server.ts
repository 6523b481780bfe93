import type { ServerOptions } from '../server';
import { CERTIFICATE, type MailServer, sendingTo, startMailServer } from './mail-server';

/**
 * The mail server of a suite, and the options of a server that sends its mails there: ask for it before the server, which
 * is told the address when it starts.
 */
export function useMailServer(): { mails: MailServer; options: ServerOptions } {
  let server: MailServer | undefined;
  const variables: Record<string, string> = {};
  beforeAll(async () => {
    server = await startMailServer();
    Object.assign(variables, sendingTo(server.url));
  });
  afterAll(() => server?.stop());
  const mails = new Proxy({} as MailServer, {
    get: (_target, name) => {
      if (server === undefined) throw new Error('the mail server runs only during the tests and their hooks');
      return Reflect.get(server, name);
    },
  });
  return { mails, options: { variables, mail: { ca: CERTIFICATE } } };
}
