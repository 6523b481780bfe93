/** The browser's storage, which may be switched off or full: then nothing is kept, and nothing breaks. */
const guarded = (area: () => Storage) => ({
  get(key: string): string | null {
    try {
      return area().getItem(key);
    } catch {
      return null;
    }
  },

  /** Undefined removes it; so does a storage that is full. */
  set(key: string, value: string | undefined): void {
    try {
      area().removeItem(key);
      if (value !== undefined) area().setItem(key, value);
    } catch {
      // What cannot be kept is asked for again.
    }
  },

  keys(): string[] {
    try {
      return Object.keys(area());
    } catch {
      return [];
    }
  },
});

/** Shared by the tabs of this browser, and kept when it is closed. */
export const ofBrowser = guarded(() => localStorage);

/** Of this tab alone. A browser brings it back with a tab that is opened again. */
export const ofTab = guarded(() => sessionStorage);
