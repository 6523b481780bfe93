import './states.css';
import { type ReactNode, useContext, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { describe, fieldErrors, placeInWords } from '../app/errors';
import { placeOf } from '../app/navigation';
import { SiteContext } from '../app/site-context';
import { Button, ButtonLink } from './button';

/** Grey lines while content is loading. */
export function Loading({ lines = 4, label = 'Loading' }: { lines?: number; label?: string }) {
  return (
    <div className="loading" role="status">
      <span className="visually-hidden">{label} …</span>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <span key={index} className="skeleton" />
      ))}
    </div>
  );
}

/** The heading of a state: the page's own when the page has no other. */
function Title({ children }: { children: ReactNode }) {
  const [Level] = useState<'h1' | 'h2'>(() => (document.querySelector('h1') === null ? 'h1' : 'h2'));
  return <Level className="state-title">{children}</Level>;
}

/** A list without anything in it: says why, and what to do. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="state">
      <Title>{title}</Title>
      {children !== undefined && <div>{children}</div>}
      {action}
    </div>
  );
}

/** A part of a page that could not be read. */
export function ErrorState({ error, retry }: { error: unknown; retry?: () => void }) {
  const { kind, title, text, requestId } = describe(error);
  if (kind === 'forbidden') return <Forbidden>{text}</Forbidden>;
  if (kind === 'missing') return <Missing />;
  return (
    <div className="state" role="alert">
      <Title>{title}</Title>
      <p>{text}</p>
      {kind === 'invalid' && (
        <ul>
          {fieldErrors(error).map(({ path, message }) => (
            <li key={path}>
              {placeInWords(path)}: {message}
            </li>
          ))}
        </ul>
      )}
      {requestId !== undefined && <p className="hint">Request {requestId}</p>}
      {retry !== undefined && (
        <Button variant="primary" onPress={() => retry()}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** What the caller's role does not allow. */
export function Forbidden({ children }: { children?: ReactNode }) {
  return (
    <div className="state">
      <Title>Your role does not allow this</Title>
      <p>{children ?? 'Ask an owner of this site for another role.'}</p>
    </div>
  );
}

/** Not found, or it belongs to somebody else. */
export function Missing() {
  const { pathname } = useLocation();
  const [path, name] = placeOf(pathname);
  const isInSite = useContext(SiteContext) !== undefined;
  useEffect(() => {
    document.title = 'Nothing here · Avow';
  }, []);
  return (
    <div className="state">
      <Title>There is nothing here</Title>
      <p>It was removed, the address is wrong, or it belongs to somebody else.</p>
      <div className="row">
        {isInSite && (
          <ButtonLink to={path} variant="primary">
            To {name}
          </ButtonLink>
        )}
        <ButtonLink to="/">To your sites</ButtonLink>
      </div>
    </div>
  );
}
