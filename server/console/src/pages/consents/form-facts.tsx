import type { Item } from '@avow/sdk';
import { Badge, words } from '../../ui';
import style from './forms.module.css';
import { recorderName } from './names';

type FormConsent = Item<'listFormConsents'>;

export const Statements = ({ statements }: Pick<FormConsent, 'statements'>) => (
  <ul className={style.statements}>
    {statements.map(({ key, text, accepted }) => (
      <li key={key}>
        <Badge tone={accepted ? 'good' : 'neutral'}>{accepted ? 'Yes' : 'No'}</Badge> <span>{text}</span>
      </li>
    ))}
  </ul>
);

/** Green only if the owner's own system recorded it: anybody can send what a page sends. */
export const Confirmed = ({
  double_opt_in,
  recorded_by,
}: Pick<FormConsent, 'double_opt_in' | 'recorded_by'>) => (
  <>
    {double_opt_in === 'none' ? (
      <span className="muted">Not asked</span>
    ) : (
      <Badge tone={double_opt_in === 'pending' ? 'warn' : recorded_by === 'owner' ? 'good' : 'neutral'}>
        {words(double_opt_in)}
      </Badge>
    )}
    <span className="hint block">{recorderName(recorded_by)}</span>
  </>
);
