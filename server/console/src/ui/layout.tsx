import './layout.css';
import { type ReactNode, useEffect } from 'react';
import { Link } from './button';

/** The page's heading, introduction and main actions. Sets the title of the browser's tab, too. */
export function PageHeader({
  title,
  children,
  actions,
  back,
}: {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** The list of this record: `[path, name]`. */
  back?: readonly [string, string];
}) {
  useEffect(() => {
    document.title = `${title} · Avow`;
  }, [title]);
  return (
    <header className="page-header">
      <div>
        {back !== undefined && (
          <Link to={back[0]} className="back">
            ← {back[1]}
          </Link>
        )}
        <h1 tabIndex={-1}>{title}</h1>
        {children !== undefined && <div className="page-lead">{children}</div>}
      </div>
      {actions !== undefined && <div className="row">{actions}</div>}
    </header>
  );
}

/** A section of a page with a heading. */
export function Card({
  title,
  actions,
  id,
  children,
}: {
  title?: string;
  actions?: ReactNode;
  id?: string;
  children: ReactNode;
}) {
  return (
    <section className="card" id={id} aria-label={title}>
      {title !== undefined && (
        <div className="row between">
          <h2>{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}

/** Names and values of one record. Values that are undefined are left out. */
export function FieldList({ items }: { items: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="field-list">
      {items
        .filter(([, value]) => value !== undefined && value !== null && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** One number with its name, and a note such as its change. */
export function Stat({ label, value, note }: { label: string; value: ReactNode; note?: ReactNode }) {
  return (
    <div className="stat">
      <span className="stat-label">{label}</span>
      <span className="stat-value">{value}</span>
      {note !== undefined && <span className="hint">{note}</span>}
    </div>
  );
}
