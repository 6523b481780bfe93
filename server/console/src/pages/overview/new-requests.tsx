import type { Item } from '@avow/sdk';
import { amountOf } from '../../app/new-requests';
import { useSite } from '../../app/site';
import { ButtonLink, Card, Link, Time } from '../../ui';
import { DaysLeft } from '../../ui/days-left';
import { typeName } from '../dsar/names';
import style from './overview.module.css';

/** The number of requests shown here; the list has all of them. */
const SHOWN = 5;

interface Found {
  items: Item<'listDsar'>[];
  next_cursor: string | null;
}

/** Requests that nobody has started to work on. Shown from the first day, because the deadline is running. */
export function NewRequests({ found }: { found: Found }) {
  const { path } = useSite();
  if (found.items.length === 0) return null;
  return (
    <Card
      title={`New requests (${amountOf(found)})`}
      actions={
        <ButtonLink small to={path('dsar?state=created')}>
          All new requests
        </ButtonLink>
      }
    >
      <ul className={`${style.warnings} ${style.asked}`}>
        {found.items.slice(0, SHOWN).map(({ request_id, request_type, email, created_at, due_at }) => (
          <li key={request_id}>
            <DaysLeft until={due_at} />
            <div className={style.warningText}>
              <Link to={path(`dsar/${request_id}`)}>{typeName(request_type)}</Link>, asked by {email}
              <span className="hint block">
                Received <Time at={created_at} />
              </span>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
