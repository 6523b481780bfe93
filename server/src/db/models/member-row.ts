import type { Role } from '../../domain/types';
import { Row } from './row';
import { UserRow } from './user-row';

export class MemberRow extends Row {
  static override tableName = 'members';
  static override idColumn = ['environment_id', 'user_id'];
  static override get relationMappings() {
    return {
      user: {
        relation: Row.BelongsToOneRelation,
        modelClass: UserRow,
        join: { from: 'members.user_id', to: 'users.id' },
      },
    };
  }
  environment_id!: string;
  user_id!: number;
  role!: Role;
  added_at!: Date;
  /** The provider whose groups gave the role; null: people gave it. */
  given_by!: string | null;
  user?: UserRow;
}
