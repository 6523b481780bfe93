import { useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useSite } from '../../app/site';
import {
  Alert,
  Button,
  Card,
  ConfirmDialog,
  Form,
  Missing,
  PageHeader,
  QueryState,
  useDraft,
  useVersion,
} from '../../ui';
import { CookieRows } from './cookie-rows';
import { emptyDraft, fromDraft, toDraft, type VendorDraft } from './draft';
import { GeneralFields, PurposeFields, UrlRows } from './fields';
import { nextId, put, useChangeVendors, useVendors, type Vendor, without } from './list';

/** The page of one vendor, or of a new one. */
export default function VendorPage() {
  const { id } = useParams();
  const list = useVendors();
  const shown = useRef<Vendor>(undefined);
  return (
    <QueryState query={list}>
      {({ vendors, vendor_list_version }) => {
        const isThis = (one: Vendor | undefined) => String(one?.id) === id;
        const present = vendors.find(isThis);
        // Somebody else may have removed the vendor: what was typed stays.
        const vendor = present ?? (isThis(shown.current) ? shown.current : undefined);
        shown.current = vendor;
        if (id !== undefined && vendor === undefined) return <Missing />;
        const isGone = vendor !== undefined && present === undefined;
        return <Editor key={id} vendor={vendor} version={vendor_list_version} isGone={isGone} />;
      }}
    </QueryState>
  );
}

interface Props {
  vendor: Vendor | undefined;
  /** The version of the vendor list. */
  version: number;
  isGone: boolean;
}

function Editor({ vendor, version, isGone }: Props) {
  const { path, may, settings } = useSite();
  const navigate = useNavigate();
  const mayEdit = may('owner');
  const present = vendor === undefined ? emptyDraft(settings.default_language) : toDraft(vendor);
  const draft = useDraft(present);
  const id = useRef(vendor?.id ?? 0);
  const save = useChangeVendors({
    success: 'Vendor saved',
    edited: () => ({
      id: () => id.current,
      basedOn,
      isSame: (vendors) => vendor === undefined || isSame(vendors, vendor.id, draft.base),
    }),
    onDone: () => {
      draft.saved(draft.value);
      void navigate(path('vendors'));
    },
  });
  const basedOn = useVersion(draft, present, version, save.error);
  const submit = () =>
    save.run((vendors) => {
      if (vendor === undefined) id.current = nextId(vendors);
      return put(fromDraft(id.current, draft.value))(vendors);
    });
  return (
    <>
      <PageHeader
        title={vendor?.name ?? 'New vendor'}
        back={[path('vendors'), 'Vendors and cookies']}
        actions={vendor !== undefined && mayEdit && <Remove vendor={vendor} />}
      >
        {vendor !== undefined && `Number ${vendor.id} in the list.`}
      </PageHeader>
      {!mayEdit && <Alert>Only owners can change vendors. You can read them.</Alert>}
      {isGone && (
        <Alert tone="warn">Somebody else has removed this vendor. If you save it, it is added again.</Alert>
      )}
      <Card>
        <Form
          action={save}
          dirty={draft.dirty}
          clashes={draft.clashes}
          onSubmit={submit}
          {...(mayEdit && { submit: vendor === undefined ? 'Add vendor' : 'Save vendor' })}
        >
          <fieldset className="section-fields" disabled={!mayEdit}>
            <GeneralFields draft={draft} />
            <UrlRows draft={draft} />
            <PurposeFields draft={draft} />
            <CookieRows draft={draft} />
          </fieldset>
        </Form>
      </Card>
    </>
  );
}

const isSame = (vendors: readonly Vendor[], wanted: number, base: VendorDraft) =>
  vendors.some((one) => one.id === wanted && JSON.stringify(toDraft(one)) === JSON.stringify(base));

function Remove({ vendor }: { vendor: Vendor }) {
  const { path } = useSite();
  const navigate = useNavigate();
  const [asked, ask] = useState(false);
  const remove = useChangeVendors({
    success: 'Vendor removed',
    onDone: () => void navigate(path('vendors')),
  });
  return (
    <>
      <Button variant="danger" onPress={() => ask(true)}>
        Remove
      </Button>
      <ConfirmDialog
        isOpen={asked}
        title={`Remove ${vendor.name}?`}
        confirm="Remove"
        action={remove}
        onConfirm={() => remove.run(without(vendor.id))}
        onCancel={() => ask(false)}
      >
        Its purposes and {vendor.cookies.length} cookies are removed too. Published banners keep the list that
        they were made with.
      </ConfirmDialog>
    </>
  );
}
