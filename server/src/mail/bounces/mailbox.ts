import { ImapFlow } from 'imapflow';
import type { Mailbox } from '../../config/mail';
import { CIPHERS, GROUPS } from '../../domain/ciphers';
import { clock } from '../../domain/clock';
import { DAY_MS } from '../../domain/time';
import { deadline } from '../../net/abortable';

/** Milliseconds for each step of a conversation, and for all of it; after so many no further message is begun. */
const STEP = 15_000;
const WHOLE = 120_000;
const READING = WHOLE - 2 * STEP;
/** How much of each message is read: a report begins with what matters. */
const READ = 64 * 1024;
/** Days back that the first look goes: a mail server gives up after five (RFC 5321 §4.5.4.1). */
const DAYS = 14;
/** More than is asked for; a server that sends more is left. */
const BOUNDS = { maxLineLength: 1 << 20, maxLiteralSize: 4 * READ, maxResponseSize: 1 << 21 };
const TOO_LARGE: ReadonlySet<string> = new Set(['LineTooLarge', 'LiteralTooLarge', 'ResponseTooLarge']);

/** Messages that are looked through at once: the numbers of all of them fit in a line of that length. */
export const SPAN = 50_000;

/** How far a mailbox was read. */
export interface Mark {
  /** Changes when the mailbox was made anew, and its numbers mean others (RFC 9051 §2.3.1.1). */
  validity: bigint;
  uid: number;
}

/** What a conversation fails with. */
export interface ImapError extends Error {
  code?: string;
  authenticationFailed?: boolean;
  /** There was no STARTTLS. */
  tlsFailed?: boolean;
  /** NO or BAD. */
  responseStatus?: string;
}

/** Tries the log-in and opens the mailbox. Throws when that cannot be done. */
export const verifyMailbox = (mailbox: Mailbox, ca?: string): Promise<void> =>
  inMailbox(mailbox, ca, undefined, async () => undefined);

/**
 * Hands over the beginning of each message that came since the mark, or in the last two weeks, oldest first, and tells
 * after each how far it is; of very many the next look takes the rest. Changes nothing in the mailbox. `take` ends it by
 * throwing.
 */
export function readMailbox(
  mailbox: Mailbox,
  {
    ca,
    mark,
    signal,
    take,
    onMark,
    span = SPAN,
  }: {
    ca: string | undefined;
    mark: Mark | undefined;
    signal: AbortSignal;
    take(source: Buffer): Promise<void>;
    onMark(mark: Mark): void;
    /** Messages that are looked through at once. */
    span?: number;
  },
): Promise<void> {
  return inMailbox(mailbox, ca, signal, async (client, validity) => {
    const end = performance.now() + READING;
    const after = mark?.validity === validity ? mark.uid : 0;
    const since = new Date(clock.now() - DAYS * DAY_MS);
    for await (const [from, to] of spansOf(client, after, span)) {
      const found = await client.search({ since, uid: `${from}:${to ?? '*'}` }, { uid: true });
      // Marked as looked through, what was not found would be lost.
      if (found === false || found === undefined) throw new Error('the mail server refused to search');
      // A range up to the last message has that, however small its number is.
      const uids = found.filter((uid) => uid >= from).sort((a, b) => a - b);
      for (const uid of uids) {
        if (signal.aborted || performance.now() > end) return;
        const source = await sourceOf(client, uid).catch((error: ImapError) => {
          // The next look begins behind a message that cannot be read.
          if (TOO_LARGE.has(error.code ?? '')) onMark({ validity, uid });
          throw error;
        });
        if (source !== undefined) await take(source.subarray(0, READ));
        onMark({ validity, uid });
      }
      if (signal.aborted || performance.now() > end) return;
      // What is older than is asked for is not looked through again.
      if (to !== undefined) onMark({ validity, uid: to });
    }
  });
}

/**
 * Ranges of numbers behind one, each of at most so many messages, in their order. Numbers have gaps, so that the end of a
 * range is asked for by the place of its message; the last range has no end.
 */
async function* spansOf(
  client: ImapFlow,
  after: number,
  span: number,
): AsyncGenerator<[from: number, to: number | undefined]> {
  const { exists = 0, uidNext = Infinity } = client.mailbox || {};
  let from = after + 1;
  // Ordinarily little is new, and where all of it fits in a range no end is asked for.
  for (let place = span; place < exists && uidNext - from > span; place += span) {
    const last = await client.fetchOne(String(place), { uid: true });
    if (last === false) break;
    if (last.uid < from) continue;
    yield [from, last.uid];
    from = last.uid + 1;
  }
  yield [from, undefined];
}

async function sourceOf(client: ImapFlow, uid: number): Promise<Buffer | undefined> {
  const one = await client.fetchOne(String(uid), { source: { start: 0, maxLength: READ } }, { uid: true });
  return one ? one.source : undefined;
}

async function inMailbox(
  { host, port, implicitTls, login, folder }: Mailbox,
  ca: string | undefined,
  signal: AbortSignal | undefined,
  work: (client: ImapFlow, validity: bigint) => Promise<void>,
): Promise<void> {
  const client = new ImapFlow({
    ...{ host, port, secure: implicitTls, ...(implicitTls ? {} : { doSTARTTLS: true }), auth: login },
    tls: { minVersion: 'TLSv1.2', ciphers: CIPHERS, ecdhCurve: GROUPS, ...(ca === undefined ? {} : { ca }) },
    ...{ connectionTimeout: STEP, greetingTimeout: STEP, socketTimeout: STEP },
    ...{ logger: false, disableAutoIdle: true, disableCompression: true, ...BOUNDS },
  });
  // What fails is told by the call that fails.
  client.on('error', () => undefined);
  const { signal: end, release } = deadline(WHOLE, signal);
  const close = (): void => client.close();
  end.addEventListener('abort', close, { once: true });
  try {
    end.throwIfAborted();
    await client.connect();
    const { uidValidity } = await client.mailboxOpen(folder, { readOnly: true });
    await work(client, uidValidity);
    await client.logout();
  } finally {
    end.removeEventListener('abort', close);
    release();
    client.close();
  }
}
