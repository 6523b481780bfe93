import { useState } from 'react';
import type { Schemas } from '../../app/data';
import { remedyOf } from '../../app/links';
import { useSite } from '../../app/site';
import { Badge, Button, ButtonLink, Card, Time } from '../../ui';
import style from './overview.module.css';

const TONES = { critical: 'bad', warning: 'warn', info: 'info' } as const;
const NAMES = { critical: 'Urgent', warning: 'Soon', info: 'For information' };
/** The number shown at first; the rest is shown on request. */
const SHOWN = 6;

/** Deadlines and webhook problems that need action now, each with a link to its record. */
export function ActNow({ warnings, isQuiet }: { warnings: Schemas['Warning'][]; isQuiet: boolean }) {
  const [all, showAll] = useState(false);
  if (warnings.length === 0 && !isQuiet) return null;
  if (warnings.length === 0) {
    return (
      <p className={style.allClear}>
        <span aria-hidden="true">✓</span> Nothing needs your attention now.
      </p>
    );
  }
  return (
    <Card title={`Act now (${warnings.length})`}>
      <ul className={style.warnings}>
        {warnings.slice(0, all ? undefined : SHOWN).map((warning) => (
          <Entry key={`${warning.code} ${warning.subject_id} ${warning.message}`} {...warning} />
        ))}
      </ul>
      {!all && warnings.length > SHOWN && (
        <div>
          <Button small onPress={() => showAll(true)}>
            Show all {warnings.length}
          </Button>
        </div>
      )}
    </Card>
  );
}

function Entry(warning: Schemas['Warning']) {
  const { path } = useSite();
  const remedy = remedyOf(warning);
  return (
    <li>
      <Badge tone={TONES[warning.severity]}>{NAMES[warning.severity]}</Badge>
      <div className={style.warningText}>
        {warning.message}
        <span className="hint block">
          {/_clock|_due$/.test(warning.code) ? 'Until' : 'Since'} <Time at={warning.since} />
        </span>
      </div>
      <ButtonLink small to={path(remedy.path)}>
        {remedy.action}
      </ButtonLink>
    </li>
  );
}
