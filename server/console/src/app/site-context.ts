import { createContext } from 'react';
import type { Site } from './data';

/** The site that the address names; undefined above it, and where there is none. */
export const SiteContext = createContext<Site | undefined>(undefined);
