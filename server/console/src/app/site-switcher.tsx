import './site-switcher.css';
import { type FormEvent, useState } from 'react';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import { useNavigate } from 'react-router';
import { Button, ButtonLink, Link } from '../ui/button';
import { TextField } from '../ui/fields';
import { QueryState } from '../ui/query-state';
import { keys, type Site, useAnswer } from './data';

/** Shows the current site and switches to another one, with a search, because there may be hundreds. */
export default function SiteSwitcher({ current }: { current: string | undefined }) {
  const sites = useAllSites();
  const name = sites.data?.find(({ token }) => token === current)?.name;
  return (
    <DialogTrigger>
      <Button className="switcher" variant="quiet">
        <span className="switcher-name">{name ?? (current === undefined ? 'Choose a site' : 'Site')}</span>
        <span aria-hidden="true">▾</span>
      </Button>
      <Popover className="popover" placement="bottom start">
        <Dialog className="popover-body" aria-label="Sites">
          {({ close }) => (
            <>
              <QueryState query={sites}>
                {(all) => <SiteList sites={all} current={current} close={close} />}
              </QueryState>
              <ButtonLink to="/sites/new" onClick={close}>
                New site
              </ButtonLink>
            </>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function SiteList({
  sites,
  current,
  close,
}: {
  sites: Site[];
  current: string | undefined;
  close: () => void;
}) {
  const [query, setQuery] = useState('');
  const navigate = useNavigate();
  const found = sites.filter((site) =>
    `${site.name} ${site.domains.join(' ')}`.toLowerCase().includes(query.trim().toLowerCase()),
  );
  const first = query.trim() === '' ? undefined : found[0];
  const open = (event: FormEvent) => {
    event.preventDefault();
    if (first === undefined) return;
    close();
    void navigate(`/sites/${first.token}`);
  };
  return (
    <>
      <form onSubmit={open}>
        <TextField
          label={`Find one of ${sites.length} sites`}
          isRequired
          value={query}
          onChange={setQuery}
          autoFocus
          autoComplete="off"
        />
      </form>
      <span className="visually-hidden" role="status">
        {found.length} found{first !== undefined && `, Enter opens ${first.name}`}
      </span>
      {found.length === 0 && <p className="muted">No site is called that.</p>}
      <ul className="site-list">
        {found.map(({ token, name, domain }) => (
          <li key={token}>
            <Link
              to={`/sites/${token}`}
              className="site-item"
              onClick={close}
              aria-current={token === current ? 'page' : undefined}
              data-first={token === first?.token || undefined}
            >
              <span>{name}</span>
              <span className="hint">{domain}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The maximum number of sites that the switcher lists; others can be opened by their address. */
const MAX_SITES = 2000;

/** All sites of the user, sorted by name. */
export const useAllSites = () =>
  useAnswer(keys.sites, async (api) => {
    const sites: Site[] = [];
    for await (const site of api.listEnvironments.each({ limit: 200 })) {
      sites.push(site);
      if (sites.length >= MAX_SITES) break;
    }
    return sites.sort((a, b) => a.name.localeCompare(b.name));
  });
