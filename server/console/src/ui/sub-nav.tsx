import './tabs.css';
import './sub-nav.css';
import { NavLink } from 'react-router';

/** Links to the pages under one entry of the navigation, `[path, name]`. They look like tabs. */
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
