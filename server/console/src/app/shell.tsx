import './shell.css';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { NavLink, Outlet, ScrollRestoration, useLocation, useMatch, useNavigation } from 'react-router';
import { Button, Link } from '../ui/button';
import { AccountMenu } from './account-menu';
import { describe } from './errors';
import { NAVIGATION } from './navigation';
import { amountOf, useNewRequests } from './new-requests';
import { useSiteRecord } from './site';

const SiteSwitcher = lazy(() => import('./site-switcher'));

/** The frame of every page: brand, site switcher, navigation, account menu. */
export function Shell() {
  const token = useMatch('/sites/:site/*')?.params.site;
  const named = token === 'new' ? undefined : token;
  const { error } = useSiteRecord(named);
  // No navigation for a site that does not exist.
  const site = error !== null && describe(error).kind === 'missing' ? undefined : named;
  const { pathname } = useLocation();
  const [open, setOpen] = useState(false);
  const main = useFocusOnChange(pathname);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the navigation
  useEffect(() => setOpen(false), [pathname]);
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="top">
        {site !== undefined && (
          <Button className="menu-button" variant="quiet" aria-expanded={open} onPress={() => setOpen(!open)}>
            <span aria-hidden="true">☰</span>
            <span className="visually-hidden">Navigation</span>
          </Button>
        )}
        <Link to="/" className="brand">
          <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width="24" height="24" />
          <span>Avow</span>
        </Link>
        <div className="top-site">
          <Suspense>
            <SiteSwitcher current={site} />
          </Suspense>
        </div>
        <AccountMenu />
      </header>
      <Progress />
      <ScrollRestoration />
      <div className="body">
        {site !== undefined && <Navigation site={site} open={open} />}
        <main id="main" ref={main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </div>
  );
}

function Navigation({ site, open }: { site: string; open: boolean }) {
  return (
    <nav className={open ? 'side open' : 'side'} aria-label="Site">
      {NAVIGATION.map(([group, entries]) => (
        <div key={group} className="nav-group">
          {group !== '' && <span className="nav-title">{group}</span>}
          <ul>
            {entries.map(([path, name]) => (
              <li key={path}>
                <NavLink to={`/sites/${site}${path && `/${path}`}`} end={path === ''}>
                  {name}
                  {path === 'dsar' && <NewRequests site={site} />}
                </NavLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/**
 * The number of requests that nobody has started to work on. Their deadlines run from the day they arrived.
 */
function NewRequests({ site }: { site: string }) {
  const { data } = useNewRequests(site);
  if (data === undefined || data.items.length === 0) return null;
  return (
    <>
      {' '}
      <span className="nav-count">
        {amountOf(data)}
        <span className="visually-hidden"> new</span>
      </span>
    </>
  );
}

/** A line below the header while the code of a page is loading. */
function Progress() {
  const busy = useNavigation().state === 'loading';
  return <div className={busy ? 'progress busy' : 'progress'} />;
}

/**
 * Moves the focus to the page after each navigation, so that keyboard and screen-reader users do not start at
 * the header.
 */
function useFocusOnChange(pathname: string) {
  const main = useRef<HTMLElement>(null);
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}
