import { resolve } from 'node:path';
import { integer, webAddress } from './readers';
import { variable } from './variable';

/** Where IAB Europe publishes the Global Vendor List. */
const OFFICIAL = 'https://vendor-list.consensu.org/v3';

/** An address, or a folder of this machine. */
const placeOfList = (text: string): string =>
  /^https?:/.test(text) ? webAddress(text) : text === 'off' ? text : resolve(text);

/** IAB Europe's framework: the operator is the CMP. */
export const TCF_VARIABLES = {
  /** Undefined: no site can take part. */
  tcfCmpId: variable<number | undefined>(
    'TCF_CMP_ID',
    integer(2, 4_095),
    undefined,
    'the number under which IAB Europe has registered this server as a CMP; without it no site can use the TCF',
    { family: 'TCF_' },
  ),
  tcfCmpVersion: variable<number>(
    'TCF_CMP_VERSION',
    integer(1, 4_095),
    1,
    "the CMP's version, as registered; it stands in each TC string",
    { family: 'TCF_' },
  ),
  tcfList: variable<string>(
    'TCF_LIST',
    placeOfList,
    OFFICIAL,
    'the folder of the Global Vendor List: a URL, or a path where there is no internet; `off`: imported by hand',
    { shown: "IAB Europe's", family: 'TCF_' },
  ),
};
