import './history-list.css';
import type { Schemas } from '../app/data';
import { Time } from './time';

/** What happened to a record, newest first: when, who, what, and what they wrote. */
export function HistoryList({ entries }: { entries: readonly Schemas['HistoryEntry'][] }) {
  return (
    <ol className="history" reversed>
      {[...entries].reverse().map(({ at, actor, action, note }) => (
        <li key={`${at} ${action}`}>
          <span className="row">
            <strong>{sentence(action)}</strong>
            <span className="muted">
              <Time at={at} /> · {actor}
            </span>
          </span>
          {note !== null && <span className="history-note">{note}</span>}
        </li>
      ))}
    </ol>
  );
}

const sentence = (action: string): string => {
  const text = action.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};
