import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import writeExcel from 'write-excel-file/node';
import type { operations } from '../../../spec/generated/api';
import { BreachRow, DsarRow, FormConsentRow } from '../db/models';
import { buildRopa, ROPA_COLUMNS, ropaTable } from '../domain/ropa';
import type { Ropa } from '../domain/types';
import { Download, type Handler } from './handler';
import { ropaPage } from './ropa-page';
import { presentVendors } from './vendors';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** Forms that get an entry of their own, at most. */
const MAX_FORMS = 100;

export const exportRopa: Handler<operations['exportRopa']> = async (
  { db, publicUrl },
  { environment, query },
) => {
  const where = { environment_id: environment.id };
  const forms = await FormConsentRow.query(db)
    .where(where)
    .distinct('form_id')
    .orderBy('form_id')
    .limit(MAX_FORMS);
  const ropa = buildRopa({
    site: environment,
    vendors: (await presentVendors(db, environment.id)).vendors,
    forms: forms.map(({ form_id }) => form_id),
    hasRequests: (await DsarRow.query(db).where(where).first()) !== undefined,
    hasBreaches: (await BreachRow.query(db).where(where).first()) !== undefined,
    baseUrl: publicUrl(),
    now: new Date(),
  });
  const name = `ropa-${environment.domain}-${ropa.generated_at.slice(0, 10)}`;
  switch (query.format) {
    case 'csv':
      return new Download(
        'text/csv; charset=utf-8',
        `${name}.csv`,
        Readable.from([stringify(ropaTable(ropa), { bom: true, quoted: true })]),
      );
    case 'xlsx':
      return new Download(XLSX, `${name}.xlsx`, Readable.from([await workbook(ropa)]));
    case 'html':
      return new Download('text/html; charset=utf-8', `${name}.html`, Readable.from([ropaPage(ropa)]), true);
    default:
      return ropa;
  }
};

/** What a cell of a workbook can hold, in UTF-16 units. */
const MAX_CELL = 32_767;
const CUT = '… (cut: the JSON export has the rest)';

const cellText = (text: string): string =>
  text.length <= MAX_CELL ? text : text.slice(0, MAX_CELL - CUT.length).toWellFormed() + CUT;

/** Every cell is a text, so that nothing in it is ever run. */
async function workbook(ropa: Ropa): Promise<Buffer> {
  const [titles = [], ...rows] = ropaTable(ropa);
  const sheet = [
    titles.map((value) => ({ value, type: String, fontWeight: 'bold' as const, textWrap: true })),
    ...rows.map((row) => row.map((text) => ({ value: cellText(text), type: String, textWrap: true }))),
  ];
  const columns = ROPA_COLUMNS.map(() => ({ width: 28 }));
  return writeExcel(sheet, { columns, stickyRowsCount: 1, sheet: 'Records of processing' }).toBuffer();
}
