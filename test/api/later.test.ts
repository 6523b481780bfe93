import { ensurePartitions } from '../../server/src/db/partitions';
import { itIs } from '../helpers/at-time';
import {
  environmentOperations,
  exampleRequest,
  idsOf,
  makeId,
  ownedSite,
} from '../helpers/http/contract-requests';
import { raw } from '../helpers/http/raw';
import { useServer } from '../helpers/server';
import { INWARD } from '../helpers/webhooks/receiver';

const server = useServer({ variables: { ...INWARD, ROLE: 'api' } });
const YEAR = 366 * 86_400_000;

beforeAll(() => ensurePartitions(server.service.context.db, new Date(Date.now() + YEAR)));
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

// Readers copy the examples, and these tests run them: none may work only until some day.
const taking = environmentOperations.filter(({ bodyTypes }) => bodyTypes.length > 0);
test.each(taking.map((operation) => ({ id: operation.id, operation })))(
  'a year later the example of $id is taken as it is today',
  async ({ operation }) => {
    const today = await answerTo();
    itIs(Date.now() + YEAR);
    expect(await answerTo()).toEqual(today);

    async function answerTo() {
      const site = await ownedSite(server);
      const path: Record<string, string> = { token: site.token };
      for (const name of idsOf(operation))
        path[name] = (await makeId(server, site, name)) ?? '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11';
      const { status, json } = await raw(server.url, exampleRequest(operation, path, site.bearer));
      return [status, json?.data?.errors];
    }
  },
);
