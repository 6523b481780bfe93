/** Of one kind in one frame. Longer lists are cut, and that is said. */
export const MAX_NAMES = 500;
/** The contract's bounds of a name, and of the object stores of a database. */
export const MAX_LENGTH = 200;
const MAX_STORES = 50;
const MAX_DATABASES = 50;
/** A database that its page is changing for good never opens. In milliseconds. */
const OPEN_MS = 500;

/** What the probe answers of a frame. */
export interface Probed {
  local_storage: string[];
  session_storage: string[];
  indexed_db: { name: string; stores: string[] }[];
  cut: boolean;
}

/**
 * Runs inside a frame, apart from the page's own scripts: the names of what its origin keeps in the browser.
 * Names alone: a value is never read. A frame that may keep nothing, such as a sandboxed one, has none.
 */
export const STORAGE_PROBE = `(async () => {
  let cut = false;
  const names = (open) => {
    const found = [];
    try {
      const storage = open();
      const count = storage.length;
      if (count > ${MAX_NAMES}) cut = true;
      for (let at = 0; at < count && at < ${MAX_NAMES}; at += 1) found.push(String(storage.key(at)).slice(0, ${MAX_LENGTH}));
    } catch {}
    return found;
  };
  const stores = (name) => new Promise((resolve) => {
    const none = () => { cut = true; resolve([]); };
    setTimeout(none, ${OPEN_MS});
    const request = indexedDB.open(name);
    request.onupgradeneeded = () => request.transaction.abort();
    request.onerror = (event) => { event.preventDefault(); resolve([]); };
    request.onsuccess = () => {
      const all = [...request.result.objectStoreNames];
      if (all.length > ${MAX_STORES}) cut = true;
      request.result.close();
      resolve(all.slice(0, ${MAX_STORES}).map((store) => store.slice(0, ${MAX_LENGTH})));
    };
  });
  const databases = async () => {
    try {
      const all = await indexedDB.databases();
      if (all.length > ${MAX_DATABASES}) cut = true;
      const some = all.slice(0, ${MAX_DATABASES});
      return await Promise.all(some.map(async ({ name }) => ({ name: name.slice(0, ${MAX_LENGTH}), stores: await stores(name) })));
    } catch {
      return [];
    }
  };
  const indexed_db = await databases();
  return { local_storage: names(() => localStorage), session_storage: names(() => sessionStorage), indexed_db, cut };
})()`;
