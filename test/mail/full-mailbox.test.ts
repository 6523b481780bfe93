import { mailbox } from '../../server/src/config/mail';
import { type Mark, readMailbox } from '../../server/src/mail/bounces/mailbox';
import { CERTIFICATE } from '../helpers/mail/mail-server';
import { type MailboxServer, startMailboxServer } from '../helpers/mail/mailbox-server';

let server: MailboxServer;
beforeAll(async () => {
  server = await startMailboxServer();
});
afterAll(() => server.stop());

const numbersOf = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
const deliver = (from: number, to: number) => {
  for (const n of numbersOf(from, to)) server.deliver(`Subject: ${n}\n\nx`);
};

/** What one look takes, and where it ends. */
async function look(mark: Mark | undefined, most = Infinity) {
  const taken: number[] = [];
  const end = new AbortController();
  let reached = mark;
  await readMailbox(mailbox(server.url), {
    ...{ ca: CERTIFICATE, mark, signal: end.signal, span: 10 },
    take: async (source) => {
      taken.push(Number(/^Subject: (\d+)/m.exec(source.toString())?.[1]));
      if (taken.length === most) end.abort();
    },
    onMark: (one) => {
      reached = one;
    },
  }).catch((error) => {
    if (!end.signal.aborted) throw error;
  });
  return { taken, reached };
}

test('a mailbox with more messages than an answer may name is read in parts, each message once and in order', async () => {
  deliver(1, 12);
  // Numbers have gaps where messages were deleted.
  server.skip(500);
  deliver(13, 25);
  server.skip(7);
  deliver(26, 47);
  const first = await look(undefined, 17);
  expect(first.taken).toEqual(numbersOf(1, 17));
  const second = await look(first.reached);
  expect(second.taken).toEqual(numbersOf(18, 47));
  expect(Math.max(...server.found)).toBeLessThanOrEqual(10);
  expect((await look(second.reached)).taken).toEqual([]);
  deliver(48, 49);
  expect((await look(second.reached)).taken).toEqual([48, 49]);
});
