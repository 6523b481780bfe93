import './site-switcher.css';
import { useState } from 'react';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import { Button, ButtonLink, Link } from '../ui/button';
import { TextField } from '../ui/fields';
import { QueryState } from '../ui/query-state';
import type { Site } from './data';
import { useAllSites } from './sites';

/** The present site, and the way to another one: with a search, because there may be hundreds. */
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
                {(all) => <Choice sites={all} current={current} close={close} />}
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

function Choice({
  sites,
  current,
  close,
}: {
  sites: Site[];
  current: string | undefined;
  close: () => void;
}) {
  const [wanted, setWanted] = useState('');
  const found = sites.filter((site) =>
    `${site.name} ${site.domains.join(' ')}`.toLowerCase().includes(wanted.trim().toLowerCase()),
  );
  return (
    <>
      <TextField
        label={`Find one of ${sites.length} sites`}
        isRequired
        value={wanted}
        onChange={setWanted}
        autoFocus
        autoComplete="off"
      />
      <span className="visually-hidden" role="status">
        {found.length} found
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
