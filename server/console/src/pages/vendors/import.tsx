import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useNavigate } from 'react-router';
import { useSite } from '../../app/site';
import { Alert, Button, Forbidden, Form, PageHeader, QueryState } from '../../ui';
import { Choice } from './choice';
import { readList } from './gvl';
import { useChangeVendors, useVendors, type Vendor } from './list';

/** Imports vendors from a Global Vendor List. The file is read in the browser. */
export default function ImportPage() {
  const { path, may } = useSite();
  const list = useVendors();
  return (
    <>
      <PageHeader title="Import vendors" back={[path('vendors'), 'Vendors and cookies']}>
        From a file in the format of the IAB’s Global Vendor List v3, such as the vendor-list.json of IAB
        Europe. The file stays in your browser; only what you choose is sent.
      </PageHeader>
      {may('owner') ? (
        <QueryState query={list}>{({ vendors }) => <Import present={vendors} />}</QueryState>
      ) : (
        <Forbidden>Only owners can change vendors.</Forbidden>
      )}
    </>
  );
}

interface Loaded {
  name: string;
  vendors: Vendor[];
}

function Import({ present }: { present: Vendor[] }) {
  const { path, settings } = useSite();
  const navigate = useNavigate();
  const [loaded, setLoaded] = useState<Loaded>();
  const [problem, setProblem] = useState<string>();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const save = useChangeVendors({
    success: 'Vendors imported',
    onDone: () => {
      setChosen(new Set());
      void navigate(path('vendors'));
    },
  });
  const open = async (file: File) => {
    setProblem(undefined);
    try {
      const keys = settings.categories.map(({ key }) => key);
      setLoaded({ name: file.name, vendors: readList(await file.text(), keys) });
      setChosen(new Set());
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  const wanted = loaded?.vendors.filter(({ id }) => chosen.has(id)) ?? [];
  return (
    <Form
      action={save}
      dirty={chosen.size > 0}
      onSubmit={() => save.run((now) => merge(now, wanted))}
      {...(loaded !== undefined && {
        submit: `Import ${chosen.size} ${chosen.size === 1 ? 'vendor' : 'vendors'}`,
      })}
      isDisabled={chosen.size === 0}
    >
      <div className="row">
        <FileTrigger
          acceptedFileTypes={['application/json', '.json']}
          onSelect={(files) => files?.[0] && void open(files[0])}
        >
          <Button>{loaded === undefined ? 'Choose a file' : 'Choose another file'}</Button>
        </FileTrigger>
        <span className="muted">{loaded?.name}</span>
      </div>
      {problem !== undefined && (
        <Alert tone="bad" title="The file cannot be used" live>
          {problem}
        </Alert>
      )}
      {loaded !== undefined && (
        <Choice vendors={loaded.vendors} present={present} chosen={chosen} onChange={setChosen} />
      )}
    </Form>
  );
}

/** Replaces a vendor's data by those of the list, but keeps the owner's own additions. */
function merge(now: readonly Vendor[], wanted: readonly Vendor[]): Vendor[] {
  const byId = new Map(now.map((vendor) => [vendor.id, vendor]));
  for (const vendor of wanted) {
    const { cookies, country, transfer_safeguard } = byId.get(vendor.id) ?? vendor;
    byId.set(vendor.id, { ...vendor, cookies, country, transfer_safeguard });
  }
  return [...byId.values()];
}
