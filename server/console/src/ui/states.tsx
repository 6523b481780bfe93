import './states.css';
import { type ReactNode, useContext, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { describe, fieldErrors, placeInWords } from '../app/errors';
import { sectionOf } from '../app/navigation';
import { SiteContext } from '../app/site-context';
import { Button, ButtonLink } from './button';

/** Grey lines in place of content that is loading. */
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

/** The heading of a state: an h1 if the page has none. */
function Title({ children }: { children: ReactNode }) {
  const [Level] = useState<'h1' | 'h2'>(() => (document.querySelector('h1') === null ? 'h1' : 'h2'));
  return <Level className="state-title">{children}</Level>;
}

/** An empty list: says why it is empty, and what to do. */
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

/** An error in place of data that could not be read. */
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

/** Shown when the user's role does not allow something. */
export function Forbidden({ children }: { children?: ReactNode }) {
  return (
    <div className="state">
      <Title>Your role does not allow this</Title>
      <p>{children ?? 'Ask an owner of this site for another role.'}</p>
    </div>
  );
}

/** Shown for something that does not exist or belongs to somebody else. */
export function Missing() {
  const { pathname } = useLocation();
  const [path, name] = sectionOf(pathname);
  const isSite = useContext(SiteContext) !== undefined;
  useEffect(() => {
    document.title = 'Nothing here · Avow';
  }, []);
  return (
    <div className="state">
      <Title>There is nothing here</Title>
      <p>It was removed, the address is wrong, or it belongs to somebody else.</p>
      <div className="row">
        {isSite && (
          <ButtonLink to={path} variant="primary">
            To {name}
          </ButtonLink>
        )}
        <ButtonLink to="/">To your sites</ButtonLink>
      </div>
    </div>
  );
}
