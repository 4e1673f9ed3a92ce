import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { notePutBack } from "@xworkmate/platform/files";
import { copyLedger } from "./evidence/index.ts";
import { copyBridgeDatabase } from "./store/sqlite/index.ts";

/*
 * Copies the parts of a bridge's home that can't be copied file by file while it is in use: the database at one moment, and the ledger of
 * receipts up to the last line that this database records. The bridge writes its other files once or replaces them as a whole, so they can
 * simply be copied.
 */
const [bridgeHome = "", into = ""] = process.argv.slice(2);
mkdirSync(into, { recursive: true, mode: 0o700 });
const end = await copyBridgeDatabase(bridgeHome, into);
await copyLedger(join(bridgeHome, "receipts"), join(into, "receipts"), end);
notePutBack(into);
