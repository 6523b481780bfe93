import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';

/**
 * A route whose code is loaded when it is opened.
 * @param path below its parent; '' for the parent's own address
 * @param load imports the file whose default export is the page
 */
export const page = (path: string, load: () => Promise<{ default: ComponentType }>): RouteObject => ({
  ...(path === '' ? { index: true } : { path }),
  lazy: async () => ({ Component: (await load()).default }),
});
