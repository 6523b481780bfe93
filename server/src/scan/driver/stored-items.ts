import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import type { SeenItem } from '../../domain/cookies/result';
import { within } from '../../net/abortable';
import { hostOf } from '../../net/target';
import { MAX_LENGTH, type Probed, STORAGE_PROBE } from './storage-probe';

/** Frames that are looked into, the page itself included. */
const MAX_FRAMES = 50;
/** Names of all frames together, before they are judged. */
const MAX_ALL = 2_000;

/** What the page and its frames keep in the browser. */
export interface Stored {
  items: SeenItem[];
  /** There was more, or a frame did not answer in time. */
  cut: boolean;
}

interface Frame {
  session: CDPSession;
  id: string;
  origin: string;
}

/**
 * Reads the names of what a page keeps besides cookies, and its frames with it, third parties' too. Takes no
 * longer than it may, and never fails: what was read until then is the answer.
 */
export async function readStorage(
  context: BrowserContext,
  page: Page,
  session: CDPSession,
  milliseconds: number,
): Promise<Stored> {
  const found = new Map<string, SeenItem>();
  const end = AbortSignal.timeout(milliseconds);
  let cut = false;
  const read = async (): Promise<true> => {
    const frames = (await Promise.all((await sessionsOf(context, page, session)).map(framesOf))).flat();
    const origins = new Map(frames.map((frame) => [frame.origin, frame]));
    if (origins.size > MAX_FRAMES) cut = true;
    const looked = [...origins.values()].slice(0, MAX_FRAMES).map(async (frame) => {
      // A frame that has gone in the meantime keeps what it has to itself.
      const probed = await look(frame).catch(() => undefined);
      if (probed === undefined || end.aborted) return;
      if (probed.cut) cut = true;
      for (const item of itemsOf(frame.origin, probed)) {
        if (found.size < MAX_ALL) found.set(`${item.host} ${item.storage} ${item.name}`, item);
        else cut = true;
      }
    });
    await Promise.all(looked);
    return true;
  };
  const done = await within(read(), end).catch(() => undefined);
  return { items: [...found.values()], cut: cut || done === undefined };
}

/** The page's, and those of frames that have a process of their own. */
async function sessionsOf(context: BrowserContext, page: Page, session: CDPSession): Promise<CDPSession[]> {
  const frames = page.frames().slice(1, MAX_FRAMES);
  const own = await Promise.all(frames.map((frame) => context.newCDPSession(frame).catch(() => undefined)));
  return [session, ...own.filter((one) => one !== undefined)];
}

interface Tree {
  frame: { id: string; securityOrigin: string };
  childFrames?: Tree[];
}

/** The frames of a process that have an origin: a sandboxed one has none, and keeps nothing. */
async function framesOf(session: CDPSession): Promise<Frame[]> {
  const answer = await session.send('Page.getFrameTree').catch(() => undefined);
  const frames: Frame[] = [];
  const waiting: Tree[] = answer === undefined ? [] : [answer.frameTree];
  for (let tree = waiting.pop(); tree !== undefined; tree = waiting.pop()) {
    const { id, securityOrigin: origin } = tree.frame;
    if (/^https?:/.test(origin) && URL.canParse(origin)) frames.push({ session, id, origin });
    waiting.push(...(tree.childFrames ?? []));
  }
  return frames;
}

/** In a world of its own: the page's scripts cannot change what the probe calls. */
async function look({ session, id }: Frame): Promise<Probed | undefined> {
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', { frameId: id });
  const { result } = await session.send('Runtime.evaluate', {
    ...{ contextId, expression: STORAGE_PROBE, awaitPromise: true, returnByValue: true },
  });
  return result.value as Probed | undefined;
}

function itemsOf(origin: string, { local_storage, session_storage, indexed_db }: Probed): SeenItem[] {
  const host = hostOf(new URL(origin));
  const item = (storage: SeenItem['storage'], name: string, stores: string[] = []): SeenItem => ({
    storage,
    name: plain(name),
    host,
    objectStores: stores.map(plain),
  });
  return [
    ...local_storage.map((name) => item('local_storage', name)),
    ...session_storage.map((name) => item('session_storage', name)),
    ...indexed_db.map(({ name, stores }) => item('indexed_db', name, stores)),
  ];
}

/** Names may hold any code unit; the database takes neither NUL nor half a character. */
const plain = (name: string): string =>
  name
    .slice(0, MAX_LENGTH)
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f]/g, '\ufffd');
