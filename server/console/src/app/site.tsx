import { type ReactNode, useContext } from 'react';
import { Outlet, useParams } from 'react-router';
import { QueryState } from '../ui/query-state';
import { ZoneContext } from '../ui/zone';
import { keys, type Role, type Site, useAnswer } from './data';
import { SiteContext } from './site-context';

const RANK: Record<Role, number> = { viewer: 0, operator: 1, owner: 2 };

/** The site of this page, with what the caller may do there. Only below `/sites/:site`. */
export function useSite(): Site & { may(role: Role): boolean; path(rest?: string): string } {
  const site = useContext(SiteContext);
  if (site === undefined) throw new Error('useSite() outside of a site');
  return {
    ...site,
    may: (role) => RANK[site.role] >= RANK[role],
    path: (rest = '') => `/sites/${site.token}${rest === '' ? '' : `/${rest}`}`,
  };
}

/** Its children only for those whose role is at least this one; `otherwise` for the others. */
export function Allowed({
  to,
  otherwise = null,
  children,
}: {
  to: Role;
  otherwise?: ReactNode;
  children: ReactNode;
}) {
  return useSite().may(to) ? children : otherwise;
}

/** The site with this token; nothing is read without one. */
export const useSiteRecord = (token = '') =>
  useAnswer(keys.site(token), (api, signal) => api.getEnvironment({ token }, { signal }), {
    enabled: token !== '',
  });

/** Reads the site that the address names, for every page below it. */
export function SiteRoute() {
  const query = useSiteRecord(useParams().site);
  return (
    <QueryState query={query}>
      {(found) => (
        <SiteContext value={found}>
          <ZoneContext value={found.settings.time_zone}>
            <Outlet key={found.token} />
          </ZoneContext>
        </SiteContext>
      )}
    </QueryState>
  );
}
