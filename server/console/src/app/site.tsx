import { type ReactNode, useContext } from 'react';
import { Outlet, useParams } from 'react-router';
import { QueryState } from '../ui/query-state';
import { ZoneContext } from '../ui/zone';
import { keys, type Role, type Site, useAnswer } from './data';
import { SiteContext } from './site-context';

const RANK: Record<Role, number> = { viewer: 0, operator: 1, owner: 2 };

/** The site of this page, with a check of the user's role. Only below `/sites/:site`. */
export function useSite(): Site & { may(role: Role): boolean; path(rest?: string): string } {
  const site = useContext(SiteContext);
  if (site === undefined) throw new Error('useSite() outside of a site');
  return {
    ...site,
    may: (role) => RANK[site.role] >= RANK[role],
    path: (rest = '') => `/sites/${site.token}${rest === '' ? '' : `/${rest}`}`,
  };
}

/** Shows its children to users whose role is at least `to`, and `otherwise` to others. */
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

/** Reads the site with this token; reads nothing without one. */
export const useSiteRecord = (token = '') =>
  useAnswer(keys.site(token), (api, signal) => api.getEnvironment({ token }, { signal }), {
    enabled: token !== '',
  });

/** Reads the site in the address, for all pages below it. */
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
