// Column types that mean the same on both databases. Text is in byte order, because pages are read by key, whatever the
// locale of the server. Whole numbers have 64 bits.
import { sql } from 'kysely'

export const columnTypes = {
  sqlite: {
    text: sql`text`,
    number: sql`integer`,
    small: sql`integer`,
    real: sql`real`,
    bytes: sql`blob`,
    watchId: sql`id integer primary key autoincrement`,
    deliveryPlace: sql`place integer primary key autoincrement`,
    end: sql`strict`,
    // Without a rowid the rows are stored in the order of their key.
    byKey: sql`strict, without rowid`,
  },
  postgres: {
    text: sql`text collate "C"`,
    number: sql`bigint`,
    small: sql`integer`,
    real: sql`double precision`,
    bytes: sql`bytea`,
    watchId: sql`id integer generated always as identity primary key`,
    deliveryPlace: sql`place bigint generated always as identity primary key`,
    end: sql``,
    byKey: sql``,
  },
}
