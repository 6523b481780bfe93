import type { Knex } from 'knex';
import { findList, listState, noteCheck, storeList } from '../../db/global-vendor-list';
import { BUILT_IN_LANGUAGES } from '../../domain/banner/languages';
import { type GlobalList, ListError, type ListTexts, readGlobalList, readTexts } from '../../domain/tcf/list';
import { beginning } from '../../domain/text';
import { DAY_MS } from '../../domain/time';
import { runYielding } from '../../domain/yielding';
import { logFailure } from '../../observability/failures';
import type { Logger } from '../../observability/logger';
import { type ListFolder, ListUnreadable, listFolder } from './read-list';

/** IAB Europe makes a new one each Thursday; a newer one is looked for daily, and sooner after a failure. */
const EVERY = DAY_MS;

/** Lists come weekly: a version so much higher is a mistake, which would keep out all that follow. */
const MOST_NEWER = 100;

/** Whether it is time to look for a newer list. */
export const isListDue = (
  { checked_at, problem }: Awaited<ReturnType<typeof listState>>,
  now: Date,
): boolean => checked_at === null || problem !== null || now.getTime() - checked_at.getTime() >= EVERY;

/** Reads a list with its texts in the banner's languages. Throws `ListUnreadable` in words. */
export async function readFolder(
  folder: ListFolder,
  signal: AbortSignal,
  log?: Logger,
  known?: { version: number; translations: Record<string, ListTexts> },
): Promise<{ list: GlobalList; translations: Record<string, ListTexts> }> {
  const json = await folder.list(signal);
  const list = await inWords('vendor-list.json', () => runYielding(readGlobalList(json)));
  if (known !== undefined && list.version < known.version)
    throw new ListUnreadable(`it has the version ${list.version}, and ${known.version} is here`);
  if (known !== undefined && list.version > known.version + MOST_NEWER)
    throw new ListUnreadable(
      `it has the version ${list.version}, far above ${known.version}: if that is right, store it by npm run import-gvl -- FILE --tcf`,
    );
  if (known?.version === list.version && Object.keys(known.translations).length > 0)
    return { list, translations: known.translations };
  const translations: Record<string, ListTexts> = {};
  for (const language of BUILT_IN_LANGUAGES) {
    if (language === 'en') continue;
    try {
      const texts = await folder.texts(language, signal);
      const before = known?.translations[language];
      if (texts !== undefined)
        translations[language] = await inWords(`purposes-${language}.json`, () => readTexts(texts));
      else if (before !== undefined) translations[language] = before;
    } catch (error) {
      if (signal.aborted || !(error instanceof ListUnreadable)) throw error;
      if (log !== undefined) logFailure(log, 'warn', { error }, 'texts of the vendor list could not be read');
      // Those of the list before say the same but for what is new, which is shown in English.
      const before = known?.translations[language];
      if (before !== undefined) translations[language] = before;
    }
  }
  return { list, translations };
}

/** A mistake of the file as words for the operator. */
async function inWords<Value>(name: string, read: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ListError)) throw error;
    throw new ListUnreadable(`${name} is damaged: ${error.message}`, { cause: error });
  }
}

/**
 * Fetches the Global Vendor List when it is time; after a failure the one that is there stays. Answers whether another
 * one is there now.
 */
export async function refreshList(
  db: Knex,
  log: Logger,
  place: string,
  now: Date,
  signal: AbortSignal,
): Promise<boolean> {
  if (place === 'off' || !isListDue(await listState(db), now)) return false;
  const present = await findList(db);
  const known = present && { version: present.list.version, translations: present.translations };
  try {
    const { list, translations } = await readFolder(listFolder(place), signal, log, known);
    if (list.version === known?.version) {
      await noteCheck(db, now, null);
      return false;
    }
    const stored = await storeList(db, { list, translations, stored_at: now });
    if (stored) log.info({ version: list.version, vendors: list.vendors.length }, 'a vendor list was stored');
    return stored;
  } catch (error) {
    if (signal.aborted) return false;
    logFailure(log, 'warn', { error }, 'the vendor list could not be read; the one before stays');
    await noteCheck(
      db,
      now,
      error instanceof ListUnreadable ? beginning(error.message, 500) : 'it could not be read',
    );
    return false;
  }
}
