import { Readable } from 'node:stream';
import { currentVendors } from '../bundles/vendor-lists';
import { BreachRow, DsarRow, FormConsentRow } from '../db/models';
import { clock } from '../domain/clock';
import { buildRopa, ROPA_COLUMNS, type RopaParts, ropaJson, ropaRows } from '../domain/ropa';
import { ropaPage } from '../domain/ropa-page';
import { inChunks } from '../domain/yielding';
import { csvLines } from '../services/csv';
import { writeWorkbook } from '../services/workbook';
import { type Caller, Download, type Handler, InChunks, senderOf } from './handler';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** Forms that get an entry of their own, at most. */
const MAX_FORMS = 100;

export const exportRopa: Handler<'exportRopa'> = async (
  { db, publicUrl },
  { environment, query, caller },
) => {
  const where = { environment_id: environment.id };
  // Anybody can name a form: only those that an owner's program recorded for are in a legal document by name.
  const forms = await FormConsentRow.query(db)
    .where({ ...where, by_owner: true })
    .distinct('form_id')
    .orderBy('form_id')
    .limit(MAX_FORMS + 1);
  const named = forms.slice(0, MAX_FORMS).map(({ form_id }) => form_id);
  const byPages = await FormConsentRow.query(db)
    .where({ ...where, by_owner: false })
    .select('form_id')
    .first();
  const ropa = buildRopa({
    site: environment,
    vendors: (await currentVendors(db, environment.id)).vendors,
    forms: { named, hasOthers: byPages !== undefined || forms.length > MAX_FORMS },
    hasRequests: (await DsarRow.query(db).where(where).first()) !== undefined,
    hasBreaches: (await BreachRow.query(db).where(where).first()) !== undefined,
    baseUrl: publicUrl(),
    now: clock.date(),
  });
  const name = `ropa-${environment.domain}-${ropa.generated_at.slice(0, 10)}`;
  const file = (pieces: Iterable<string>): Readable => Readable.from(inChunks(pieces), { objectMode: false });
  switch (query.format) {
    case 'csv':
      return new Download(
        'text/csv; charset=utf-8',
        `${name}.csv`,
        Readable.from(csvLines(ropaRows(ropa), { bom: true, quoted: true }), { objectMode: false }),
      );
    case 'xlsx':
      return new Download(XLSX, `${name}.xlsx`, Readable.from([await workbook(caller, ropa)]));
    case 'html':
      return new Download('text/html; charset=utf-8', `${name}.html`, file(ropaPage(ropa)), true);
    default:
      return new InChunks(file(ropaJson(ropa)));
  }
};

function workbook(caller: Caller, ropa: RopaParts): Promise<Buffer> {
  const sheet = { name: 'Records of processing', widths: ROPA_COLUMNS.map(() => 28) };
  return writeWorkbook(senderOf(caller), sheet, ropaRows(ropa), caller.patience);
}
