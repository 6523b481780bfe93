import { createContext } from 'react';
import type { Site } from './data';

/** The site in the address; undefined if there is none. */
export const SiteContext = createContext<Site | undefined>(undefined);
