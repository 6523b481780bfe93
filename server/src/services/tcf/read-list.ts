import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { textsFile } from '../../domain/tcf/list';
import { deadline } from '../../net/abortable';
import { boundedFetch, reasonOf, Unanswered } from '../../net/bounded-fetch';

/** Bytes of a file, at most: the real list has about 1.5 MiB, its texts of a language 50 KiB. */
const MOST = { list: 8 * 2 ** 20, texts: 2 ** 20 };
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

function parse(name: string, text: string): unknown {
  try {
    // An editor may have put a byte-order mark before it.
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new ListUnreadable(`${name} is no JSON`, { cause: error });
  }
}
