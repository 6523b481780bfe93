import { keys, type Site, useAnswer } from './data';

/** As many sites as the switcher lists; who has more finds the rest by their address. */
const MOST = 2000;

/** Every site of the caller, by name. */
export const useAllSites = () =>
  useAnswer(keys.sites, async (api) => {
    const sites: Site[] = [];
    for await (const site of api.listEnvironments.each({ limit: 200 })) {
      sites.push(site);
      if (sites.length >= MOST) break;
    }
    return sites.sort((a, b) => a.name.localeCompare(b.name));
  });
