import type { QueryBuilder } from 'objection';
import { AppendOnlyModel, withId } from './append-only';

export interface FormStatement {
  key: string;
  text: string;
  accepted: boolean;
}

export class FormConsentRow extends AppendOnlyModel {
  static override tableName = 'form_consents';
  static override idColumn = ['environment_id', 'recorded_at', 'form_consent_id'];
  static override jsonAttributes = ['statements'];
  static override modifiers = {
    withId(query: QueryBuilder<FormConsentRow>, id: string) {
      withId(query, 'form_consent_id', id);
    },
  };
  environment_id!: string;
  recorded_at!: Date;
  form_consent_id!: string;
  form_id!: string;
  form_url!: string;
  email!: string | null;
  email_key!: string | null;
  external_id!: string | null;
  statements!: FormStatement[];
  double_opt_in!: 'none' | 'pending' | 'confirmed';
  by_owner!: boolean;
  language!: string;
  ip_masked!: string;
  session_id!: string | null;
}
