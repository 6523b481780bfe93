import './history-list.css';
import type { Schemas } from '../app/data';
import { words } from './format';
import { Time } from './time';

/** The history of a record, newest first: time, person, action and note. */
export function HistoryList({ entries }: { entries: readonly Schemas['HistoryEntry'][] }) {
  return (
    <ol className="history" reversed>
      {[...entries].reverse().map(({ at, actor, action, note, user_id, key_id }) => (
        <li key={`${at} ${action}`}>
          <span className="row">
            <strong>{words(action)}</strong>
            <span className="muted">
              <Time at={at} /> · {actor}
              {user_id !== undefined && ` · account ${user_id}`}
              {key_id !== undefined && ` · API key ${key_id}`}
            </span>
          </span>
          {note !== null && <span className="history-note">{note}</span>}
        </li>
      ))}
    </ol>
  );
}
