import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { textsFile } from '../../domain/tcf/list';
import { deadline } from '../../net/abortable';
import { boundedFetch, reasonOf, Unanswered } from '../../net/bounded-fetch';

/** Bytes of a file, at most: the real list has about 1.5 MiB, its texts of a language 50 KiB. */
const MOST = { list: 4 * 2 ** 20, texts: 2 ** 20 };
/**
 * Brackets, commas and colons of a file, and how deep they nest: a real vendor has 70 to 100, and the time to parse grows
 * with them. Of 1,200 vendors that is less than half of it.
 */
const MOST_SIGNS = 250_000;
const DEEPEST = 32;
/** For one file, in milliseconds. */
const PATIENCE = 30_000;

/** A list could not be read, in words for the operator. */
export class ListUnreadable extends Error {
  override name = 'ListUnreadable';
}

/** A folder of the list: at an address, or on this machine. */
export interface ListFolder {
  list(signal: AbortSignal): Promise<unknown>;
  /** Undefined when there is no such file. */
  texts(language: string, signal: AbortSignal): Promise<unknown>;
}

/** Reads nothing yet. */
export function listFolder(place: string): ListFolder {
  const read = /^https?:/.test(place) ? fromAddress(place) : fromFolder(place);
  return {
    list: async (signal) => {
      const found = await read('vendor-list.json', MOST.list, signal);
      if (found === undefined) throw new ListUnreadable('the folder has no vendor-list.json');
      return parse('vendor-list.json', found);
    },
    texts: async (language, signal) => {
      const name = `purposes-${textsFile(language)}.json`;
      const found = await read(name, MOST.texts, signal);
      return found === undefined ? undefined : parse(name, found);
    },
  };
}

type Read = (name: string, most: number, signal: AbortSignal) => Promise<string | undefined>;

const fromAddress =
  (place: string): Read =>
  async (name, most, signal) => {
    const end = deadline(PATIENCE, signal);
    try {
      const answer = await boundedFetch(end.signal, most)(`${place}/${name}`, {
        headers: { accept: 'application/json' },
      });
      if (answer.status === 404 || answer.status === 403) return undefined;
      if (answer.status !== 200) throw new Unanswered(`it answered ${answer.status}`);
      return await answer.text();
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      throw new ListUnreadable(`${name} could not be fetched: ${error.message}`, { cause: error });
    } finally {
      end.release();
    }
  };

const fromFolder =
  (place: string): Read =>
  async (name, most) => {
    const path = join(place, name);
    try {
      if ((await stat(path)).size > most) throw new ListUnreadable(`${name} is larger than ${most} bytes`);
      return await readFile(path, 'utf8');
    } catch (error) {
      if (error instanceof ListUnreadable) throw error;
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw new ListUnreadable(`${name} cannot be read (${reasonOf(error as Error)})`, { cause: error });
    }
  };

function parse(name: string, found: string): unknown {
  // An editor may have put a byte-order mark before it.
  const text = found.replace(/^\ufeff/, '');
  const fault = faultOf(text);
  if (fault !== undefined) throw new ListUnreadable(`${name} ${fault}`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ListUnreadable(`${name} is no JSON`, { cause: error });
  }
}

const [QUOTE, ESCAPE, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const OPEN = [0x5b, 0x7b] as const;
const CLOSED = [0x5d, 0x7d] as const;

/** What makes a text too costly to parse, in one pass of some milliseconds. */
function faultOf(text: string): string | undefined {
  let [signs, depth, isQuoted] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted) at += code === ESCAPE ? 1 : 0;
    else if (code === COMMA || code === COLON) signs += 1;
    else if (code === OPEN[0] || code === OPEN[1]) {
      signs += 1;
      depth += 1;
    } else if (code === CLOSED[0] || code === CLOSED[1]) depth -= 1;
    if (signs > MOST_SIGNS) return `has more than ${MOST_SIGNS} brackets, commas and colons`;
    if (depth > DEEPEST) return `is nested deeper than ${DEEPEST} levels`;
  }
  return undefined;
}
