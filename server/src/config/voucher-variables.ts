import { integer } from './readers';
import { variable } from './variable';
import { type AuthorityAddress, authorities, type WitnessAddress, witnesses } from './vouchers';

/** The variables of those who vouch for evidence logs. */
export const VOUCHER_VARIABLES = {
  /** Who cosigns checkpoints of evidence logs; empty: nobody is asked. */
  witnesses: variable<WitnessAddress[]>(
    'WITNESSES',
    witnesses,
    () => [],
    'witnesses of the evidence logs: `vkey url`, separated by commas',
  ),
  witnessMinutes: variable(
    'WITNESS_MINUTES',
    integer(1, 1440),
    60,
    'minutes between two requests to a witness for a log that has grown, 1 to 1440',
    { family: 'WITNESS_' },
  ),
  /** Who time-stamps checkpoints of evidence logs (RFC 3161); empty: nobody is asked. */
  timestampUrls: variable<AuthorityAddress[]>(
    'TIMESTAMP_URLS',
    authorities,
    () => [],
    'time-stamping authorities (RFC 3161) of the evidence logs, separated by spaces; `#OID` asks for a policy',
    { family: 'TIMESTAMP_' },
  ),
  timestampHours: variable(
    'TIMESTAMP_HOURS',
    integer(1, 744),
    24,
    'hours between two time-stamps of an authority for a log that has grown, 1 to 744',
    { family: 'TIMESTAMP_' },
  ),
};
