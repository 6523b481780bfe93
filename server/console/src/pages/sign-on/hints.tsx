import type { Schemas } from '../../app/data';
import { Card } from '../../ui';
import style from './sign-on.module.css';

/** How to try a provider without locking oneself out. */
export function Hints({ providers }: { providers: Schemas['SiteProvider'][] }) {
  return (
    <Card title="How to try it">
      <ol className={style.steps}>
        <li>
          Stay logged in here. In a private window, open{' '}
          {providers.map(({ provider }, index) => (
            <span key={provider}>
              {index > 0 && ' or '}
              <code>/console/sign-on/{provider}</code>
            </span>
          ))}
          .
        </li>
        <li>Log in as somebody of each group. This page then shows who it was and which role was given.</li>
        <li>Take the person out of the group at the provider, and log in again: the role is gone.</li>
        <li>
          The audit trail of this site shows every role that was given or taken. If somebody is refused, the
          page says why; <code>npm run doctor</code> checks the provider.
        </li>
        <li>
          Turn passwords off only when that works. <code>npm run owner -- reset EMAIL</code> makes a link that
          logs somebody in even then.
        </li>
      </ol>
    </Card>
  );
}
