import { writeWorkbook } from '../../server/src/services/workbook';

test('whoever asks for many workbooks waits behind themselves, and nobody else behind them', async () => {
  const order: string[] = [];
  const write = (name: string) =>
    writeWorkbook([`group ${name}`, `account ${name}`], { name: 'Sheet', widths: [10] }, [
      ['Title'],
      ['cell'],
    ]).then((bytes) => {
      expect(bytes.subarray(0, 2).toString()).toBe('PK');
      order.push(name);
    });
  await Promise.all(['busy', 'busy', 'busy', 'busy', 'other'].map(write));
  expect(order).toEqual(['busy', 'busy', 'other', 'busy', 'busy']);
});
