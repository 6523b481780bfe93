import './tabs.css';
import './sub-nav.css';
import { NavLink } from 'react-router';

/** Sibling pages under one entry of the navigation: `[path, name]`. They look like tabs, and are links. */
export function SubNav({ label, links }: { label: string; links: readonly (readonly [string, string])[] }) {
  return (
    <nav className="tab-list sub-nav" aria-label={label}>
      {links.map(([to, name]) => (
        <NavLink key={to} to={to} end className="tab">
          {name}
        </NavLink>
      ))}
    </nav>
  );
}
